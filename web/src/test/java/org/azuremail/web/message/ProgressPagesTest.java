package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.azuremail.delivery.MessageControl;
import org.azuremail.figures.FigureCounts;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.TestBrowser;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the part of a message's page that updates itself. */
class ProgressPagesTest extends OnMessagePages {

    @Autowired
    EndedMessage made;

    @Autowired
    MessageView view;

    @Autowired
    MessageControl control;

    @Autowired
    FigureCounts counts;

    @Test
    void aMessageThatIsBeingSentIsFollowedWithItsSpeed() throws Exception {
        Message message =
                made.goingOut("pace", Map.of("a@example.org", Outcome.SENT, "b@example.org", Outcome.FAILED), 9);
        Element first = progress("/messages/" + message.ref());
        assertThat(first.attr("data-live")).isEqualTo("message." + message.ref());
        assertThat(first.attr("hx-trigger")).isEqualTo("live");
        assertThat(first.attr("data-version")).isEqualTo(version(message));
        assertThat(first.select("#pace")).isEmpty();

        time.advance(Duration.ofSeconds(2));
        String next = first.attr("hx-get").replaceAll("-2-(\\d+)-2$", "-0-$1-0");

        Element second = progress(next);
        assertThat(second.select("#pace").text()).isEqualTo("About 1 a second");
        assertThat(second.select("#left").text()).isEqualTo("less than a minute left");
        assertThat(second.select(".legend li").eachText())
                .containsExactly("Sent 1", "Failed 1", "Unknown 0", "Skipped 0", "Waiting 7");
        assertThat(browser.page().select("#facts")).isEmpty();
    }

    @Test
    void thePageHasSomethingElseToShowExactlyWhenSomethingChanged() throws Exception {
        MessageRef later = pending("Later");
        String waits = version(messages.find(later).orElseThrow());
        time.advance(Duration.ofMinutes(5));
        assertThat(version(messages.find(later).orElseThrow())).isEqualTo(waits);

        Message going = made.goingOut("standing", Map.of("a@example.org", Outcome.SENT), 2);
        String goes = version(going);
        browser.open("/messages/" + going.ref()).submit("/messages/" + going.ref() + "/pause", Map.of());
        String paused = version(messages.find(going.ref()).orElseThrow());
        assertThat(paused).isNotEqualTo(goes);
        time.advance(Duration.ofMinutes(5));
        assertThat(version(messages.find(going.ref()).orElseThrow())).isEqualTo(paused);
    }

    @Test
    void aMessageIsResumedOnlyAsItWasShown() throws Exception {
        MessageRef ref =
                made.goingOut("seen", Map.of("a@example.org", Outcome.SENT), 2).ref();
        control.pause(ref, Reason.ofText("401 key"));
        browser.open("/messages/" + ref);
        control.resume(ref);
        control.pause(ref, Reason.ofText("too many bounces"));

        browser.submit("/messages/" + ref + "/resume", Map.of());

        assertThat(browser.text()).contains("Nothing was changed: the message has moved on", "too many bounces");
        assertThat(messages.find(ref).orElseThrow().paused()).isTrue();
        browser.submit("/messages/" + ref + "/resume", Map.of());
        assertThat(messages.find(ref).orElseThrow().paused()).isFalse();
    }

    @Test
    void lotsThatMeetTheSameRefusalLaterKeepNobodyFromResuming() throws Exception {
        MessageRef ref = made.goingOut("refused", Map.of("a@example.org", Outcome.SENT), 2)
                .ref();
        control.pause(ref, Reason.ofText("401 key"));
        browser.open("/messages/" + ref);
        control.pause(ref, Reason.ofText("401 key"));

        browser.submit("/messages/" + ref + "/resume", Map.of());

        assertThat(messages.find(ref).orElseThrow().paused()).isFalse();
    }

    @Test
    void aMessageThatIsADraftAgainMeanwhileIsNotCancelled() throws Exception {
        MessageRef ref = pending("Wrong date");
        TestBrowser other = browsers.getObject().signIn();
        other.open("/messages/" + ref + "/cancel");
        browser.open("/messages/" + ref).submit("/messages/" + ref + "/undo", Map.of());

        other.submit("/messages/" + ref + "/cancel", Map.of());

        assertThat(other.text()).contains("Nothing was changed: the message has moved on");
        assertThat(messages.find(ref).orElseThrow().editable()).isTrue();
    }

    @Test
    void theLastLookBringsWhenItWasFinishedAndNothingIsFollowedAnyMore() throws Exception {
        Message message = made.completed("finished", Map.of("a@example.org", Outcome.SENT));
        count(message);

        Element last = progress("/messages/" + message.ref() + "/progress?seen=");

        assertThat(last.hasAttr("hx-get")).isFalse();
        assertThat(last.hasAttr("data-live")).isFalse();
        assertThat(view.findState(message.ref().toString()).orElseThrow().over())
                .isTrue();
        assertThat(browser.page().select("#facts[hx-swap-oob=true] dt").eachText())
                .contains("Finished");
        assertThat(browser.open("/messages/" + message.ref()).page().select("[hx-swap-oob]"))
                .isEmpty();
    }

    @Test
    void aPageWaitsForFiguresOnlyForAWhile() throws Exception {
        Message message = made.completed("uncounted", Map.of("a@example.org", Outcome.SENT));
        time.advance(Duration.ofMinutes(3));
        assertThat(progress("/messages/" + message.ref()).hasAttr("data-live")).isFalse();
    }

    @Test
    void reasonsAndDomainsAreShownWithTheirNumbersAndWhenTheyWereCounted() throws Exception {
        Message message = made.completed(
                "figures",
                Map.of(
                        "a@one.test", Outcome.SENT,
                        "b@one.test", Outcome.FAILED,
                        "c@two.test", Outcome.FAILED,
                        "d@two.test", Outcome.UNKNOWN,
                        "e@one.test", Outcome.SENT));
        assertThat(browser.open("/messages/" + message.ref()).page().select("#figures"))
                .isEmpty();
        count(message);

        browser.open("/messages/" + message.ref());

        assertThat(browser.page().select("#reasons tbody tr").eachText())
                .containsExactly("FAILED reason Failed 2", "UNKNOWN reason Unknown 1");
        assertThat(browser.page().select("#domains tbody tr").eachText())
                .containsExactly("one.test 2 1 0 0", "two.test 0 1 1 0");
        assertThat(browser.page().select("#counted").text()).contains("counted from 5 outcomes");
    }

    @Test
    void aMessageThatIsAboutToBeSentNeitherWaitsForItsDateNorCanBeEdited() throws Exception {
        MessageRef ref = create(Map.of("subject", "At once", "html", HTML, "when", "now"), Map.of());
        browser.submit("/messages/" + ref + "/send", Map.of());
        time.advance(Duration.ofSeconds(31));
        browser.open("/messages/" + ref);

        assertThat(browser.address()).isEqualTo("/messages/" + ref);
        assertThat(browser.page().select("#waits").text()).isEqualTo("Sending starts in a moment.");
        assertThat(browser.page().select("#edit, #delete")).isEmpty();
        assertThat(browser.page().select("#cancel")).hasSize(1);
        assertThat(browser.page().select("#facts").text()).doesNotContain(" in UTC");
    }

    @Test
    void everythingIsExportedAsCsvAndNoCellIsAFormula() throws Exception {
        Instant at = time.instant();
        Message message = made.goingOut(
                "exported",
                Map.of(
                        "=1+1@example.org",
                        Outcome.FAILED,
                        "b@example.org",
                        Outcome.SENT,
                        "c@example.org",
                        Outcome.UNKNOWN),
                5);

        browser.open("/messages/" + message.ref() + "/recipients.csv");

        assertThat(browser.header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"message-" + message.ref() + "-recipients.csv\"");
        assertThat(browser.body().lines())
                .containsExactly(
                        "email,name,outcome,reason_code,reason,at,attempt,transport,provider_id,feedback,feedback_code,feedback_text,feedback_at,list,audience",
                        "'=1+1@example.org,,failed,SAID,FAILED reason," + at + ",1,,,,,,,exported,exported",
                        "b@example.org,,sent,,," + at + ",1,,SENT reason,,,,,exported,exported",
                        "c@example.org,,unknown,SAID,UNKNOWN reason," + at + ",1,,,,,,,exported,exported");
    }

    @Test
    void recipientsUnknownForMoreThanADayAreAGroupOfTheirOwn() throws Exception {
        Message message = made.completed(
                "undecided", Map.of("ann@example.org", Outcome.UNKNOWN, "bob@example.org", Outcome.SENT));
        String page = "/messages/" + message.ref();
        String group = page + "/recipients?outcome=undecided";
        assertThat(browser.open(group).page().select("tbody th")).isEmpty();
        assertThat(browser.page().select("nav.choices").text()).doesNotContain("Bounced");

        time.advance(Duration.ofHours(25));
        browser.signIn();
        count(message);

        assertThat(browser.open(group).page().select("tbody th").eachText()).containsExactly("ann@example.org");
        assertThat(browser.page().select("nav.choices [aria-current=page]").text())
                .isEqualTo("Unknown for over 24 hours 1");
        browser.open(page + "/recipients.csv?outcome=undecided");
        assertThat(browser.body().lines().skip(1)).singleElement().asString().startsWith("ann@example.org,,unknown");
        browser.open(page + "/recipients.csv?outcome=waiting");
        assertThat(browser.body().lines()).hasSize(1);
        assertThat(browser.open(page).page().select("#silent").attr("href")).isEqualTo(group);
        assertThat(browser.open(page + "/recipients")
                        .page()
                        .select("nav.choices")
                        .text())
                .contains("Unknown for over 24 hours 1");
    }

    private String version(Message message) {
        return view.findState(message.ref().toString()).orElseThrow().version();
    }

    private void count(Message message) {
        counts.count(message);
    }

    @Test
    void cancellingAScheduledMessageSaysThatNobodyGetsIt() throws Exception {
        MessageRef ref = scheduled(Map.of("subject", "Never", "html", HTML, "when", "later", "date", "2026-12-24"));

        browser.open("/messages/" + ref + "/cancel");

        assertThat(browser.page().select("main").text())
                .contains("Nobody gets it. Nobody has been sent it.")
                .doesNotContain("Skipped");
    }

    @Test
    void aCancelledMessageSaysWhatStillHappens() throws Exception {
        Message message = made.goingOut("stopped_short", Map.of("a@example.org", Outcome.SENT), 9);

        browser.open("/messages/" + message.ref() + "/cancel");
        assertThat(browser.page().select("main").text())
                .contains("8 people have not been sent the email yet and are recorded as Skipped")
                .contains("1 person has been sent it");

        browser.submit("/messages/" + message.ref() + "/cancel", Map.of());

        assertThat(browser.page().select("#ending").text())
                .contains("Nobody else gets this message", "still being recorded");
        assertThat(browser.page().select("#progress .badge").first().text()).isEqualTo("Cancelled");
    }

    @Test
    void timesAreShownInOneZoneAndAsTypedBesideIt() throws Exception {
        MessageRef ref = scheduled(Map.of(
                "subject",
                "In Kathmandu",
                "html",
                HTML,
                "when",
                "later",
                "date",
                "2026-12-24",
                "time",
                "08:00",
                "zone",
                "Asia/Kathmandu"));

        assertThat(browser.page().select("#facts").text())
                .contains("24 Dec 2026, 08:00 in Kathmandu (02:15 UTC)")
                .containsPattern("Written \\d+ \\w+ 2026, \\d\\d:\\d\\d \\(UTC\\) by ann@example.org");
        assertThat(browser.open("/messages").text()).contains("Times are in UTC");
        assertThat(browser.open("/messages/" + ref).page().select("#facts").text())
                .contains("(UTC)");
    }

    private Element progress(String path) throws Exception {
        Element progress = browser.open(path).page().getElementById("progress");
        assertThat(progress).as(browser.body()).isNotNull();
        return progress;
    }
}
