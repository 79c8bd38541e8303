package org.azuremail.web.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.limit.RateLimit;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class RatePagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    RateLimit limit;

    @AfterEach
    void noLimitAgain() {
        limit.changeRate(0);
    }

    @Test
    void rateIsShownAndChangedForAllSenders() throws Exception {
        browser.signIn().open("/settings");
        assertThat(browser.text()).contains("No limit");

        browser.submit("/settings", Map.of("rate", "25"));

        assertThat(browser.text()).contains("25", "mails a second, over all senders");
        assertThat(limit.rate()).isEqualTo(25);
    }

    @Test
    void whatIsNoNumberIsRefusedAtTheField() throws Exception {
        browser.signIn().open("/settings");
        for (String typed : new String[] {"", "-1", "1.5", "many", "1000001"}) {
            browser.submit("/settings", Map.of("rate", typed));
            assertThat(browser.errorAt("rate")).as(typed).contains("whole number");
        }
        assertThat(limit.rate()).isZero();
    }
}
