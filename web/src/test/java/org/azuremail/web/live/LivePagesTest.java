package org.azuremail.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the address to which open pages connect. */
@PageTest
class LivePagesTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Test
    void withoutAnythingToWatchABrowserNeverAsksAgain() throws Exception {
        TestBrowser browser = browsers.getObject().signIn();
        assertThat(browser.open("/live?watch=nothing.1").status()).isEqualTo(204);
    }

    @Test
    void onlySomebodyWhoIsSignedInListens() throws Exception {
        TestBrowser stranger = browsers.getObject();
        assertThat(stranger.openWithoutFollowing("/live?watch=message.1").status())
                .isNotEqualTo(200);
    }
}
