package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Schedule;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Checks that a message which nobody has sent or scheduled yet is sent only after a question, even if its time has
 * come.
 */
class MessageDraftTest extends OnMessagePages {

    @Autowired
    MessagePageSupport support;

    @Test
    void aScheduledMessageThatIsChangedToGoNowIsReviewedAgain() throws Exception {
        MessageRef ref = pending("For Christmas");

        recipients(ref).submit(edit(ref.toString()), Map.of("when", "now"));

        assertThat(find(ref).paused()).isTrue();
        assertThat(browser.text()).contains("The message is a draft again.");
        assertThat(browser.open("/messages/" + ref).text()).contains("This is a draft.");

        browser.open("/messages/" + ref + "/send").submit("/messages/" + ref + "/send", Map.of());

        assertThat(find(ref).paused()).isFalse();
        assertThat(find(ref).state().draft()).isFalse();
    }

    @Test
    void aDateInThePastIsReviewedAsNowIs() throws Exception {
        MessageRef ref = create(Map.of("subject", "Late", "html", HTML), Map.of());
        recipients(ref)
                .submit(edit(ref.toString()), Map.of("when", "later", "date", anHourAgo()[0], "time", anHourAgo()[1]));

        assertThat(browser.page().select("form[action$=/send]")).hasSize(1);
        assertThat(browser.page().select("form[action$=/schedule]")).isEmpty();
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftIsCalledSoAndHasNoDate() throws Exception {
        MessageRef ref = draft(Map.of("subject", "Not yet", "html", HTML));

        assertThat(browser.text()).contains("saved as a draft", "This is a draft.");
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Draft");
        assertThat(browser.page().select("#facts dt").eachText()).doesNotContain("Scheduled");
        assertThat(browser.open("/messages").textOfAllPages())
                .contains("Not yet Readers (readers) Not scheduled Draft");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftStaysOneHoweverOftenItIsSaved() throws Exception {
        MessageRef ref = draft(Map.of("subject", "Not yet", "html", HTML));
        time.advance(Duration.ofHours(1));

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Still not yet", "act", "DRAFT"));
        assertThat(browser.text()).contains("This is a draft.");
        assertThat(find(ref).subject()).isEqualTo("Still not yet");

        edit(ref).submit(edit(ref.toString()), Map.of("act", "REVIEW"));
        assertThat(browser.text()).contains("Send to nobody yet");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftForADayWaitsForSomebodyToScheduleIt() throws Exception {
        MessageRef ref =
                create(Map.of("subject", "Some day", "html", HTML, "when", "later", "date", "2026-12-24"), Map.of());
        assertThat(browser.open("/messages/" + ref)
                        .page()
                        .select(".head .badge")
                        .text())
                .isEqualTo("Draft");
        assertThat(find(ref).paused()).isTrue();

        browser.open("/messages/" + ref + "/review").submit("/messages/" + ref + "/schedule", Map.of());

        assertThat(find(ref).paused()).isFalse();
        assertThat(find(ref).state().draft()).isFalse();
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Scheduled");
    }

    @Test
    void aDraftForADayThatHasPassedIsReviewedBeforeItGoes() throws Exception {
        String soon = time.instant()
                .plus(Duration.ofHours(2))
                .truncatedTo(ChronoUnit.MINUTES)
                .toString();
        MessageRef ref = create(
                Map.of(
                        "subject",
                        "Missed",
                        "html",
                        HTML,
                        "when",
                        "later",
                        "date",
                        soon.substring(0, 10),
                        "time",
                        soon.substring(11, 16),
                        "zone",
                        "UTC"),
                Map.of());
        time.advance(Duration.ofHours(3));

        browser.submit("/messages/" + ref + "/schedule", Map.of());

        assertThat(browser.text()).contains("The date of this message has passed", "Send to nobody yet");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftThatSomebodyChangedAfterTheReviewIsReviewedAgain() throws Exception {
        MessageRef ref = create(Map.of("subject", "Fine", "html", HTML), Map.of());
        TestBrowser ready = browsers.getObject().signIn().open("/messages/" + ref + "/review");
        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Quite different", "act", "DRAFT"));

        ready.submit("/messages/" + ref + "/send", Map.of());

        assertThat(ready.text()).contains("somebody changed this message", "Quite different");
        assertThat(find(ref).keptAsDraft()).isTrue();

        ready.submit("/messages/" + ref + "/send", Map.of());
        assertThat(find(ref).keptAsDraft()).isFalse();
    }

    @Test
    void aDraftThatCannotBeSentIsNeitherSentNorScheduledNorResumed() throws Exception {
        MessageRef ref = create(Map.of("subject", "Fine", "html", HTML), Map.of());
        TestBrowser ready = browsers.getObject().signIn().open("/messages/" + ref + "/review");
        edit(ref).submit(edit(ref.toString()), Map.of("html", "<p>{{na", "act", "DRAFT"));

        ready.submit("/messages/" + ref + "/send", Map.of());

        assertThat(ready.text()).contains("cannot be sent yet", "not closed");
        assertThat(find(ref).keptAsDraft()).isTrue();
    }

    @Test
    void aMessageThatAPersonPausedStaysPausedWhenItsTextIsChanged() throws Exception {
        MessageRef ref = pending("Held");
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/pause", Map.of());
        assertThat(browser.text()).contains("It is not sent on its date unless you resume it.");
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Scheduled · paused");

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Held and better"));

        assertThat(find(ref).paused()).isTrue();
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Scheduled · paused");
    }

    @Test
    void aDraftOfAnOldVersionBearsNoMarkAndIsOneAllTheSame() throws Exception {
        MessageRef ref = pending("Of old");
        Versioned<Message> scheduled = store.findActive(ref).orElseThrow();
        Message old = scheduled.value().pausedFor(Reason.NONE);
        Schedule past = new Schedule(time.instant(), ZoneOffset.UTC);
        store.move(
                scheduled,
                old.edited(old.audience(), old.shards(), old.content(), past, old.onUnknown()),
                time.instant());

        assertThat(browser.open("/messages/" + ref)
                        .page()
                        .select(".head .badge")
                        .text())
                .isEqualTo("Draft");
    }

    private MessageRef draft(Map<String, String> fields) throws Exception {
        Map<String, String> typed = new java.util.HashMap<>(fields);
        typed.put("act", "DRAFT");
        MessageRef ref = newMessage();
        browser.submit(edit(ref.toString()), typed);
        return ref;
    }

    /** Returns the date and the time an hour ago, in the zone of the form. */
    private String[] anHourAgo() {
        Instant then = time.instant().minus(Duration.ofHours(1));
        return LocalDateTime.ofInstant(then, support.settings().zone())
                .toString()
                .substring(0, 16)
                .split("T");
    }

    private Message find(MessageRef ref) {
        return messages.find(ref).orElseThrow();
    }
}
