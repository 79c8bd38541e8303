package org.azuremail.web.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Tests the first page: messages that are being sent, come next or were sent last, in the whole installation. The class
 * therefore has its own installation.
 */
@PageTest
@TestPropertySource(properties = "azuremail.test.installation=dashboard")
@DirtiesContext
class DashboardPagesTest {

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    @Autowired
    ListStore lists;

    @Autowired
    Messages messages;

    @Autowired
    MessageControl control;

    @Autowired
    EndedMessage made;

    @Autowired
    SimulatedStorage simulated;

    @Autowired
    ManualTime time;

    private Message scheduled(String subject, Duration ahead) {
        ListName name = new ListName("planned");
        lists.create(MailingList.of(
                name, "Planned", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        Draft draft = new Draft(subject, "<p>News</p>".getBytes(StandardCharsets.UTF_8), null);
        Instant due = time.instant().plus(ahead);
        Messages.MessageCreateResult creation = messages.create(new Messages.NewMessage(
                name, draft, new Schedule(due, ZoneOffset.UTC), OnUnknown.HOLD, "ann@example.org", false));
        return ((Messages.MessageCreateResult.Created) creation).message();
    }

    @Test
    void aMessageThatIsBeingSentIsShownWithItsProgressAndFollowed() throws Exception {
        Message message = made.goingOut("going", Map.of("ann@going.test", Outcome.SENT), 4);

        TestBrowser browser = browsers.getObject().signIn().open("/");

        assertThat(browser.page().select("#sending a").eachText()).contains("News for going");
        assertThat(browser.page().select("#sending").text()).contains("1 of 4 people");
        assertThat(browser.page().select("#sending progress").attr("max")).isEqualTo("4");
        assertThat(browser.page().select("#now").attr("data-live")).isEqualTo("dashboard.all");
        String before = browser.page().select("#now").attr("data-version");
        control.cancel(message.ref());
        browser.open(browser.page().select("#now").attr("hx-get"));
        assertThat(browser.page().select("#now").attr("data-version")).isNotEqualTo(before);
    }

    @Test
    void theSpeedIsReckonedFromWhatThePageSawBefore() throws Exception {
        Message message = made.goingOut("fast", Map.of("a@fast.test", Outcome.SENT, "b@fast.test", Outcome.SENT), 62);
        long before = time.instant().minus(Duration.ofSeconds(1)).toEpochMilli();
        String seen = message.ref() + "-" + before + "-0-" + before + "-0";

        TestBrowser browser = browsers.getObject().signIn().open("/dashboard/now?seen=" + seen);

        assertThat(browser.page().select("#sending").text()).contains("about 2 a second", "about 30 s left");
        assertThat(browser.open("/dashboard/now?seen=-~x-y~" + message.ref() + "-9")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void nextUpShowsTheFirstOfThoseThatWaitForTheirDate() throws Exception {
        for (int day = 9; day > 0; day--) {
            scheduled("On day " + day, Duration.ofDays(day));
        }

        TestBrowser browser = browsers.getObject().signIn().open("/");

        assertThat(browser.page().select("#next li a").eachText())
                .containsExactly("On day 1", "On day 2", "On day 3", "On day 4", "On day 5");
        assertThat(browser.page().select("#next").text()).contains("more messages", "To planned");
    }

    @Test
    void theLatestMessagesHaveTheirResult() throws Exception {
        made.completed("ended", Map.of("a@ended.test", Outcome.SENT, "b@ended.test", Outcome.FAILED));

        TestBrowser browser = browsers.getObject().signIn().open("/");

        assertThat(browser.page().select("#latest tbody tr").first().text()).contains("News for ended", "Sent 1 1");
    }

    @Test
    void theNumberOfStorageCallsIsBoundedHoweverMuchThereIs() throws Exception {
        for (int i = 0; i < 40; i++) {
            made.completed("bound_" + i, Map.of("a@bound.test", Outcome.UNKNOWN));
            made.goingOut("out_" + i, Map.of("a@out.test", Outcome.SENT), 3);
            scheduled("Later " + i, Duration.ofDays(40));
        }
        TestBrowser browser = browsers.getObject().signIn();
        time.advance(Duration.ofMinutes(1));

        long before = simulated.calls();
        browser.open("/");

        assertThat(simulated.calls() - before).isBetween(10L, 60L);
        assertThat(browser.page().select("#sending progress")).hasSize(3);
        assertThat(browser.page().select("#latest tbody tr")).hasSize(5);
    }
}
