package org.azuremail.web.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.azuremail.eventlog.Event;
import org.azuremail.eventlog.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class EventPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    EventLog log;

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

    private void write(EventLevel level, String title, Instant at) {
        log.write(new Event(at, level, "host/1", "org.azuremail.Test", title, "the stack"));
    }
}
