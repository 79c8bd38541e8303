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
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What nobody has sent or scheduled yet goes out only after a question, by whatever way it comes to be due. */
class MessageDraftTest extends OnMessagePages {

    @Autowired
    MessageDesk desk;

    @Test
    void aScheduledMessageThatIsChangedToGoNowIsAskedAboutAndBackKeepsTheChanges() throws Exception {
        MessageRef ref = pending("For Christmas");

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "For today", "when", "now"));

        assertThat(browser.text()).contains("Send now to 0 people?", "For today");
        assertThat(find(ref).paused()).isTrue();
        assertThat(find(ref).subject()).isEqualTo("For today");
        assertThat(browser.open("/messages/" + ref).text()).contains("A draft.", "Send now");

        browser.open("/messages/" + ref + "/send").submit("/messages/" + ref + "/send", Map.of());

        assertThat(find(ref).paused()).isFalse();
        assertThat(find(ref).draft()).isFalse();
    }

    @Test
    void aDateInThePastIsAskedAboutAsNowIs() throws Exception {
        Map<String, String> past = Map.of("when", "later", "date", anHourAgo()[0], "time", anHourAgo()[1]);
        MessageRef ref = pending("Was for later");

        edit(ref).submit(edit(ref.toString()), past);
        assertThat(browser.text()).contains("Send now to 0 people?", "Was for later");
        assertThat(find(ref).paused()).isTrue();

        browser.open("/messages/new?list=readers")
                .submit(
                        "/messages/new",
                        Map.of(
                                "subject",
                                "New, but late",
                                "html",
                                HTML,
                                "when",
                                "later",
                                "date",
                                anHourAgo()[0],
                                "time",
                                anHourAgo()[1]));
        assertThat(browser.text()).contains("Send now to 0 people?", "New, but late");
        assertThat(find(numbered()).paused()).isTrue();
    }

    @Test
    void aDraftIsCalledSoAndHasNoDate() throws Exception {
        MessageRef ref = draft(Map.of("subject", "Not yet", "html", HTML));

        assertThat(browser.text()).contains("saved as a draft", "A draft.", "Send now");
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Draft");
        assertThat(browser.page().select("#facts dt").eachText()).doesNotContain("Scheduled");
        assertThat(browser.open("/messages").textOfAllPages()).contains("Not yet readers not scheduled Draft");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftThatIsSavedAsOneStaysOneAndOtherwiseIsAskedAbout() throws Exception {
        MessageRef ref = draft(Map.of("subject", "Not yet", "html", HTML));
        time.advance(Duration.ofHours(1));

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Still not yet", "act", "draft"));
        assertThat(browser.text()).contains("A draft.");
        assertThat(find(ref).subject()).isEqualTo("Still not yet");

        edit(ref).submit(edit(ref.toString()), Map.of());
        assertThat(browser.text()).contains("Send now to 0 people?");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftForADayWaitsForSomebodyToScheduleIt() throws Exception {
        MessageRef ref = draft(Map.of("subject", "Some day", "html", HTML, "when", "later", "date", "2026-12-24"));
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Draft");
        assertThat(browser.page().select("#facts dt").eachText()).contains("Planned for");

        browser.submit("/messages/" + ref + "/resume", Map.of());

        assertThat(find(ref).paused()).isFalse();
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Pending");
        assertThat(browser.page().select("#facts dt").eachText()).contains("Scheduled");
        assertThat(browser.text()).contains("It waits for its date.");
    }

    @Test
    void aMessageThatIsDueDoesNotSayThatItWaitsForItsDate() throws Exception {
        MessageRef ref = draft(Map.of("subject", "At once", "html", HTML));

        browser.open("/messages/" + ref + "/send").submit("/messages/" + ref + "/send", Map.of());

        assertThat(browser.text()).contains("It is due.").doesNotContain("It waits for its date");
    }

    @Test
    void aDraftForADayThatHasPassedIsAskedAboutBeforeItGoes() throws Exception {
        String soon = time.instant()
                .plus(Duration.ofHours(2))
                .truncatedTo(ChronoUnit.MINUTES)
                .toString();
        MessageRef ref = draft(Map.of(
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
                "UTC"));
        time.advance(Duration.ofHours(3));

        browser.submit("/messages/" + ref + "/resume", Map.of());

        assertThat(browser.text()).contains("Send now to 0 people?");
        assertThat(find(ref).paused()).isTrue();
    }

    @Test
    void aDraftIsScheduledByGivingItADay() throws Exception {
        MessageRef ref = draft(Map.of("subject", "From a draft", "html", HTML));

        edit(ref).submit(edit(ref.toString()), Map.of("when", "later", "date", "2026-12-24"));

        assertThat(find(ref).paused()).isFalse();
        assertThat(find(ref).scheduledDate()).isAfter(time.instant());
    }

    @Test
    void whatAPersonPausedStaysPausedWhenItsTextIsChanged() throws Exception {
        MessageRef ref = pending("Held");
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/pause", Map.of());
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Pending · paused");

        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Held and better"));

        assertThat(find(ref).paused()).isTrue();
        assertThat(browser.page().select(".head .badge").text()).isEqualTo("Pending · paused");
    }

    @Test
    void aDraftOfAnOldVersionBearsNoMarkAndIsOneAllTheSame() throws Exception {
        MessageRef ref = pending("Of old");
        Versioned<Message> scheduled = store.findActive(ref).orElseThrow();
        store.move(
                scheduled,
                scheduled.value().change(c -> c.paused(true, Reason.NONE).schedule(time.instant(), ZoneOffset.UTC)),
                time.instant());

        assertThat(browser.open("/messages/" + ref)
                        .page()
                        .select(".head .badge")
                        .text())
                .isEqualTo("Draft");
    }

    private MessageRef draft(Map<String, String> fields) throws Exception {
        Map<String, String> typed = new java.util.HashMap<>(fields);
        typed.put("act", "draft");
        browser.open("/messages/new?list=readers").submit("/messages/new", typed);
        return numbered();
    }

    private MessageRef numbered() {
        return MessageRef.parse(browser.address().replaceAll("\\D", "")).orElseThrow();
    }

    /** Date and time in the zone of the form. */
    private String[] anHourAgo() {
        Instant then = time.instant().minus(Duration.ofHours(1));
        return LocalDateTime.ofInstant(then, desk.zone())
                .toString()
                .substring(0, 16)
                .split("T");
    }

    private Message find(MessageRef ref) {
        return messages.find(ref).orElseThrow();
    }
}
