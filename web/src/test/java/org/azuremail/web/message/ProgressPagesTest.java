package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.web.EndedMessage;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The part of a message's page that looks again by itself. */
class ProgressPagesTest extends OnMessagePages {

    @Autowired
    EndedMessage made;

    @Test
    void whatGoesOutIsLookedAtEveryTwoSecondsAndTellsHowFastItIs() throws Exception {
        Message message =
                made.goingOut("pace", Map.of("a@example.org", Outcome.SENT, "b@example.org", Outcome.FAILED), 9);
        Element first = progress("/messages/" + message.ref());
        assertThat(first.attr("hx-trigger")).isEqualTo("every 2s");
        assertThat(first.select("#pace")).isEmpty();

        time.advance(Duration.ofSeconds(2));
        String next = first.attr("hx-get").replaceAll("-2-(\\d+)-2$", "-0-$1-0");

        assertThat(progress(next).select("#pace").text()).isEqualTo("about 1 a second, less than a minute left");
        assertThat(browser.page().select("#facts")).isEmpty();
    }

    @Test
    void whatWaitsForItsDateOrForAPersonIsLookedAtSeldom() throws Exception {
        MessageRef later = pending("Later");
        assertThat(progress("/messages/" + later).attr("hx-trigger")).isEqualTo("every 15s");

        Message paused = made.goingOut("standing", Map.of("a@example.org", Outcome.SENT), 2);
        browser.open("/messages/" + paused.ref()).submit("/messages/" + paused.ref() + "/pause", Map.of());

        assertThat(progress("/messages/" + paused.ref()).attr("hx-trigger")).isEqualTo("every 15s");
    }

    @Test
    void theLastLookBringsWhenItWasFinishedAndWhereItStandsNow() throws Exception {
        Message message = made.completed("finished", Map.of("a@example.org", Outcome.SENT));

        Element last = progress("/messages/" + message.ref() + "/progress?seen=");

        assertThat(last.hasAttr("hx-get")).isFalse();
        assertThat(browser.page().select("#facts[hx-swap-oob=true] dt").eachText())
                .contains("Finished");
        assertThat(browser.page().select("#crumb[hx-swap-oob=true] a").attr("href"))
                .isEqualTo("/sent");
        assertThat(browser.open("/messages/" + message.ref()).page().select("[hx-swap-oob]"))
                .isEmpty();
    }

    @Test
    void whatWasJustDoneGoesFromThePageAfterAFewLooks() throws Exception {
        Message message = made.goingOut("noticed", Map.of("a@example.org", Outcome.SENT), 9);
        assertThat(progress("/messages/" + message.ref()).attr("hx-get")).doesNotContain("told");
        Element look = progress("/messages/" + message.ref() + "?notice=message-saved");
        assertThat(browser.page().select("#notice").text()).isEqualTo("Your changes are saved.");

        for (int looks = 0; looks < 4; looks++) {
            look = progress(look.attr("hx-get"));
            assertThat(browser.page().select("#notice")).isEmpty();
        }
        Element last = progress(look.attr("hx-get"));

        assertThat(browser.page().select("#notice").attr("hx-swap-oob")).isEqualTo("delete");
        assertThat(last.attr("hx-get")).doesNotContain("told");
    }

    @Test
    void aCancelledMessageSaysWhatStillHappensAndWhichStepsItTook() throws Exception {
        Message message = made.goingOut("stopped_short", Map.of("a@example.org", Outcome.SENT), 9);

        browser.open("/messages/" + message.ref() + "/cancel")
                .submit("/messages/" + message.ref() + "/cancel", Map.of());

        assertThat(browser.page().select("#ending").text()).contains("Nobody else gets it", "still being recorded");
        assertThat(browser.page().select(".steps li.done").eachText())
                .containsExactly("Pending", "Queuing", "Processing");
        assertThat(browser.page().select(".steps li[aria-current]").text()).isEqualTo("Cancelled");
    }

    @Test
    void timesAreShownInOneZoneAndAsTypedBesideIt() throws Exception {
        MessageRef ref = create(
                Map.of(
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
                        "Asia/Kathmandu"),
                Map.of());

        assertThat(browser.page().select("#facts").text())
                .contains("24 Dec 2026, 02:15 (UTC), typed as 24 Dec 2026, 08:00 (Asia/Kathmandu)")
                .containsPattern("Written \\d+ \\w+ 2026, \\d\\d:\\d\\d \\(UTC\\) by ann@example.org");
        assertThat(browser.open("/messages").text()).contains("Times are those of UTC.");
        assertThat(browser.open("/messages/" + ref).page().select("#facts").text())
                .contains("(UTC)");
    }

    private Element progress(String path) throws Exception {
        Element progress = browser.open(path).page().getElementById("progress");
        assertThat(progress).as(browser.body()).isNotNull();
        return progress;
    }
}
