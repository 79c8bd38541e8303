package org.azuremail.web.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.Origin;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** Checks that a page shows all times in the zone that it names, also those inside a sentence. */
@TestPropertySource(properties = "azuremail.zone=Europe/Berlin")
class SubscriberTimesTest extends OnSubscriberPages {

    @Test
    void aSentenceShowsItsTimeInTheZoneThatThePageNames() throws Exception {
        add("ria@example.org", Map.of("verified", "true"));
        subscriptions.leave(list, new EmailAddress("ria@example.org"), Origin.link(null));
        String here = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH)
                .format(time.instant().atZone(ZoneId.of("Europe/Berlin")));

        edit("ria@example.org");

        assertThat(browser.text()).contains("Times are in Europe/Berlin", "This person unsubscribed on " + here);
        assertThat(browser.page().select("#again-hint").text()).doesNotContain("UTC");

        browser.submit("/subscribers/edit", Map.of("verified", "true"));

        assertThat(browser.errorAt("again")).contains("This person unsubscribed on " + here);

        browser.submit("/subscribers/edit", Map.of("verified", "true", "again", "true"));

        assertThat(browser.page().select(".history").text())
                .contains("This person unsubscribed on " + here)
                .doesNotContain("UTC");
    }
}
