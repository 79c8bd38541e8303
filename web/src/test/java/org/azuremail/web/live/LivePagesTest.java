package org.azuremail.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** Tests the address to which open pages connect. */
@PageTest
class LivePagesTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    RequestMappingHandlerAdapter handlers;

    @Test
    void withoutAnythingToWatchABrowserNeverAsksAgain() throws Exception {
        TestBrowser browser = browsers.getObject().signIn();
        assertThat(browser.open("/live?watch=nothing.1").status()).isEqualTo(204);
    }

    /** The first converter that can write a text writes the lines of a stream; another one would add quotes. */
    @Test
    void theLinesOfAStreamAreWrittenAsTheyAre() {
        assertThat(handlers.getMessageConverters())
                .filteredOn(converter -> converter.canWrite(String.class, null))
                .first()
                .isInstanceOf(StringHttpMessageConverter.class);
    }

    @Test
    void onlySomebodyWhoIsSignedInListens() throws Exception {
        TestBrowser stranger = browsers.getObject();
        assertThat(stranger.openWithoutFollowing("/live?watch=message.1").status())
                .isNotEqualTo(200);
    }
}
