package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks the buttons of the page: estimate, pause updates, stop and start work, suspend and resume a class. */
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
        assertThat(browser.text()).contains("Stop “List emails, Normal (" + QUEUE + ")”?", "Nothing is lost");
        assertThat(browser.page().select("main button.danger").text()).startsWith("Stop “List emails, Normal");
        assertThat(switches.stops()).isEmpty();

        browser.submit("/operations/stop", Map.of());

        assertThat(browser.text()).contains("nothing new starts until you start it again");
        assertThat(row(QUEUE).text()).contains("Stopped", "by ann@example.org");
        assertThat(switches.stops()).extracting(Switches.Stop::name).containsExactly(QUEUE);

        browser.submit("/operations/start", Map.of("name", QUEUE));

        assertThat(browser.text()).contains("The waiting work is being done now.");
        assertThat(row(QUEUE).text()).doesNotContain("Stopped");
        assertThat(switches.stops()).isEmpty();
    }

    @Test
    void r13_aClassIsSuspendedAfterAQuestionAndResumedWithOneClick() throws Exception {
        browser.signIn().open("/operations");
        browser.open(browser.page().getElementById("suspend-Low").attr("href"));
        assertThat(browser.text()).contains("Suspend the class Low?", "Nothing is lost", "Confirmations");
        assertThat(switches.stops()).isEmpty();

        browser.submit("/operations/suspend", Map.of());

        assertThat(browser.text()).contains("The class Low is suspended.");
        assertThat(browser.page().getElementById("class-Low").text()).contains("Suspended", "by ann@example.org");
        assertThat(browser.page().getElementById("class-Normal").text()).doesNotContain("Suspended");
        assertThat(switches.stops()).extracting(Switches.Stop::name).containsExactly("azuremailqueue-low");

        browser.submit("/operations/resume", Map.of("name", "Low"));

        assertThat(browser.text()).contains("The class Low is resumed.");
        assertThat(switches.stops()).isEmpty();
        assertThat(browser.open("/operations/suspend?name=Gold").status()).isEqualTo(404);
        assertThat(browser.text()).contains("There is no class with this name");
    }

    @Test
    void unknownQueuesAndServicesCannotBeStopped() throws Exception {
        browser.signIn().open("/operations/stop?name=everything");

        assertThat(browser.status()).isEqualTo(404);
        assertThat(switches.stops()).isEmpty();
    }

    private Element row(String queue) throws Exception {
        return browser.page().getElementById("queue-" + queue);
    }
}
