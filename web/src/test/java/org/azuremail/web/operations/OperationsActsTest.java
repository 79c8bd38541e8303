package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What somebody does on the page: reckons, holds it still, stops and starts work. */
@PageTest
class OperationsActsTest {

    private static final String QUEUE = "azuremailqueue";

    @Autowired
    TestBrowser browser;

    @Autowired
    Switches switches;

    @Test
    void thePageKeepsItselfUpToDateUntilItIsToHoldStill() throws Exception {
        browser.signIn().open("/operations");
        assertThat(browser.page().select("#now").attr("hx-trigger")).isEqualTo("every 10s");

        browser.open("/operations/now");
        assertThat(browser.page().select("body > #now").attr("hx-get")).isEqualTo("/operations/now");
        assertThat(browser.page().select("nav")).isEmpty();

        browser.open("/operations?still=true");
        assertThat(browser.page().select("#now").hasAttr("hx-get")).isFalse();
    }

    @Test
    void l13_stoppingAsksFirstAndStartingIsOnePress() throws Exception {
        browser.signIn().open("/operations");
        browser.open(browser.page().getElementById("stop-" + QUEUE).attr("href"));
        assertThat(browser.text()).contains("Stop this work?", "Nothing is lost", "List mail (" + QUEUE + ")");
        assertThat(switches.stops()).isEmpty();

        browser.submit("/operations/stop", Map.of());

        assertThat(browser.text()).contains("nothing new begins, until you start it again");
        assertThat(row(QUEUE).text()).contains("Stopped", "by ann@example.org");
        assertThat(switches.stops()).extracting(Switches.Stop::name).containsExactly(QUEUE);

        browser.submit("/operations/start", Map.of("name", QUEUE));

        assertThat(browser.text()).contains("What waited is taken up now.");
        assertThat(row(QUEUE).text()).doesNotContain("Stopped");
        assertThat(switches.stops()).isEmpty();
    }

    @Test
    void whatNobodyKnowsCannotBeStopped() throws Exception {
        browser.signIn().open("/operations/stop?name=everything");

        assertThat(browser.status()).isEqualTo(404);
        assertThat(switches.stops()).isEmpty();
    }

    private Element row(String queue) throws Exception {
        return browser.page().getElementById("queue-" + queue);
    }
}
