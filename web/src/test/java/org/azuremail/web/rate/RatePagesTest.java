package org.azuremail.web.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
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
    RateLimits limits;

    @Autowired
    EndedMessage messages;

    @Autowired
    ManualTime time;

    @AfterEach
    void noLimitAgain() {
        limits.of("outbox").change(Limits.NONE);
    }

    @Test
    void rateIsShownAndChangedForAllSenders() throws Exception {
        browser.signIn().open("/settings");
        assertThat(browser.text()).contains("No limit");

        browser.submit("/settings", Map.of("second", "25", "minute", "", "hour", "2000", "day", "40000"));

        assertThat(browser.text())
                .contains("25mails a second, over all senders", "2,000mails an hour", "40,000mails a day")
                .doesNotContain("mails a minute,", "No limit");
        assertThat(limits.of("outbox").limits()).isEqualTo(new Limits(25, 0, 2_000, 40_000));
    }

    @Test
    void whoWaitsForALimitGoesOnWhenItIsChanged() throws Exception {
        BooleanSupplier waits = messages.waiting(
                "daily", time.instant().plus(Duration.ofHours(20)), "the limit of outbox is reached: 10 mails a day");
        assertThat(waits.getAsBoolean()).isTrue();

        browser.signIn().open("/settings").submit("/settings", Map.of("day", "40000"));

        assertThat(waits.getAsBoolean()).isFalse();
    }

    @Test
    void whatIsNoNumberIsRefusedAtTheField() throws Exception {
        browser.signIn().open("/settings");
        for (String typed : new String[] {"-1", "1.5", "many", "100000001"}) {
            for (String field : new String[] {"second", "minute", "hour", "day"}) {
                Map<String, String> values = new HashMap<>(Map.of("second", "", "minute", "", "hour", "", "day", "7"));
                values.put(field, typed);
                browser.submit("/settings", values);
                assertThat(browser.errorAt(field)).as(typed).contains("whole number");
            }
        }
        assertThat(limits.of("outbox").limits()).isEqualTo(Limits.NONE);
    }
}
