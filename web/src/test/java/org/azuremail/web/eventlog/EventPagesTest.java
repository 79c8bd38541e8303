package org.azuremail.web.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.azuremail.eventlog.Event;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.eventlog.EventFile.Format;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class EventPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    EventLog log;

    @Autowired
    EventFile file;

    @Autowired
    Time time;

    @Test
    void k22_theNewestTwentyAreShownByLevelAndTheOlderOnesFollow() throws Exception {
        for (int i = 1; i <= 25; i++) {
            write(EventLevel.ERROR, "error number " + i + ".", time.instant().plusSeconds(i));
        }
        write(EventLevel.WARNING, "only a warning", time.instant().plusSeconds(30));

        browser.signIn().open("/events?level=error");
        assertThat(browser.page().select("tbody tr")).hasSize(20);
        assertThat(browser.text())
                .contains("error number 25.", "error number 6.")
                .doesNotContain("only a warning");

        browser.open(browser.page().select("a:contains(Older)").attr("href"));
        assertThat(browser.text()).contains("error number 5.").doesNotContain("error number 6.");

        browser.open("/events");
        assertThat(browser.text()).contains("only a warning");
    }

    @Test
    void anEventIsShownWholeAndHarmless() throws Exception {
        write(EventLevel.ERROR, "<script>alert(1)</script>", time.instant());
        browser.signIn().open("/events");
        browser.open(browser.page().select("a:contains(alert)").attr("href"));

        assertThat(browser.text()).contains("<script>alert(1)</script>", "the stack", "host/1");
        assertThat(browser.page().select("script:not([src])")).isEmpty();
        assertThat(browser.open("/events/one?id=../nothing").status()).isEqualTo(404);
    }

    @Test
    void k20_eventsAreFoundByTimeProcessAndTextAndTheChoiceStaysWhilePaging() throws Exception {
        Instant hour = time.instant().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(40));
        for (int i = 1; i <= 21; i++) {
            write(EventLevel.INFO, "mill stopped " + i + ".", hour.plusSeconds(i));
        }
        write(EventLevel.INFO, "mill stopped too late", hour.plusSeconds(3600));
        String from = hour.toString().substring(0, "2026-01-01T12:00".length());
        String to = hour.plusSeconds(3600).toString().substring(0, "2026-01-01T12:00".length());

        browser.signIn()
                .open("/events?level=info&since=" + from + "&until=" + to + "&process=HOST&words=Mill%20stopped");
        assertThat(browser.page().select("tbody tr")).as(browser.text()).hasSize(20);
        assertThat(browser.page().select("#since").val()).isEqualTo(from);
        browser.open(browser.page().select("a:contains(Older)").attr("href"));
        assertThat(browser.page().select("tbody th").eachText())
                .singleElement()
                .asString()
                .contains("stopped 1.");

        browser.open("/events?level=info&words=nobody%20ever%20said%20this");
        assertThat(browser.text()).contains("No event matches");
    }

    @Test
    void impossibleFiltersAreRefusedAtTheirFieldAndStayTyped() throws Exception {
        browser.signIn();
        for (String odd : List.of(
                "since=yesterday",
                "until=2026-02-30T10:00",
                "level=loud",
                "since=2026-01-02&until=2026-01-02",
                "words=" + "x".repeat(201),
                "process=" + "x".repeat(201))) {
            assertThat(browser.open("/events?" + odd).status()).as(odd).isEqualTo(422);
            assertThat(browser.page().select(".summary a")).as(odd).hasSize(1);
            assertThat(browser.open("/events.txt?" + odd).status()).as(odd).isEqualTo(422);
        }
        assertThat(browser.open("/events?since=%22%3E%3Cscript%3E")
                        .page()
                        .select("#since")
                        .val())
                .isEqualTo("\"><script>");
        for (String before : List.of("nonsense", "9999/99/99/99/99/99/0000000001/error-x", "")) {
            assertThat(browser.open("/events?before=" + before).status())
                    .as(before)
                    .isEqualTo(400);
        }
        assertThat(browser.open("/events?since=%2B999999999-01-01T00:00").status())
                .isEqualTo(200);
    }

    @Test
    void aFileHoldsWhatThePageFoundAndNoLineOfAnEventLooksLikeAnother() throws Exception {
        Instant at = time.instant().minus(Duration.ofHours(30));
        log.write(new Event(at, EventLevel.ERROR, "barn/7", "Disk", "It is full", "first\n" + at + " error forged"));
        write(EventLevel.ERROR, "It is empty", at.plusSeconds(1));
        String choice = "level=error&words=it%20is&since=" + at.toString().substring(0, 16);

        String text = browser.signIn().open("/events.txt?" + choice).body();
        assertThat(text.lines().filter(line -> !line.startsWith("    ")))
                .containsExactly(
                        at + " error barn/7 Disk: It is full",
                        at.plusSeconds(1) + " error host/1 org.azuremail.Test: It is empty");
        assertThat(browser.header("Content-Disposition")).contains("events.txt");

        List<String> lines =
                browser.open("/events.ndjson?" + choice).body().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(JsonPath.<String>read(lines.get(0), "$.details")).startsWith("first\n");
        StringWriter cut = new StringWriter();
        file.write(new EventFilter(at, at.plusSeconds(60), EventLevel.ERROR, "", ""), Format.NDJSON, 1, cut);
        assertThat(cut.toString().lines().toList()).hasSize(2);
        assertThat(JsonPath.<String>read(cut.toString().lines().toList().get(1), "$.continueFrom"))
                .isEqualTo(at.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private void write(EventLevel level, String title, Instant at) {
        log.write(new Event(at, level, "host/1", "org.azuremail.Test", title, "the stack"));
    }
}
