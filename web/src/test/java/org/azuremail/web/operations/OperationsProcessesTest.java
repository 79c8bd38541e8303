package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.operations.Operations;
import org.azuremail.work.instance.Instances;
import org.junit.jupiter.api.Test;

/** Tests the processes on the Operations page. */
class OperationsProcessesTest extends OnOperations {

    @Test
    void aSilentProcessIsShown() throws Exception {
        sender();
        time.advance(Instances.LIVE.plusSeconds(1));

        browser.signIn().open("/operations");

        assertThat(browser.text()).contains("A process is silent.", "mill (sender)");
    }

    @Test
    void aServiceOfThisProcessIsListedAndMayBeStopped() throws Exception {
        browser.signIn().open("/operations");

        assertThat(browser.page().getElementById("service-expired-sessions").text())
                .contains("Deleting expired sessions", "Runs", "1");
        assertThat(browser.page().getElementById("stop-expired-sessions")).isNotNull();
    }

    @Test
    void processesThatReadOtherTemplatesAreNamed() throws Exception {
        sender("templates.version", "0123456789abcdef");
        assertThat(browser.signIn().open("/operations").page().select("#templates-differ"))
                .isEmpty();

        sender("templates.version", "fedcba9876543210", "templates.file.welcome.html", "0011223344556677");
        time.advance(Operations.CACHE_TTL);

        assertThat(browser.open("/operations")
                        .page()
                        .select("#templates-differ")
                        .text())
                .contains("Processes use different templates", "These files differ: welcome.html.");
        assertThat(browser.page().select("#now code[title]").eachAttr("title"))
                .contains("0123456789abcdef", "fedcba9876543210");
    }
}
