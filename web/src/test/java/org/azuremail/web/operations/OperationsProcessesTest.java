package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
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
    void queuesAndProcessesAreSortedAlsoWhenThePageUpdatesItself() throws Exception {
        sender("calls/queue/" + QUEUE + "/renew", "900000000 900000000");
        storage.queues().createQueue("azuremailtestqueue");
        storage.queues().send("azuremailtestqueue", "one");

        browser.signIn().open("/operations?sort=queue-waiting&dir=desc");

        assertThat(waiting()).isSortedAccordingTo(Comparator.reverseOrder()).contains(0);
        assertThat(waiting().get(0)).isPositive();
        assertThat(browser.page().select("th[aria-sort=descending]")).hasSize(1);
        browser.open(browser.page().select("#now").attr("hx-get"));
        assertThat(waiting()).isSortedAccordingTo(Comparator.reverseOrder());
        browser.open("/operations?sort=process-calls&dir=desc");
        assertThat(browser.page()
                        .select("#instances-title + .table tbody th")
                        .first()
                        .text())
                .contains("mill");
        assertThat(browser.page().select("#instances-title + .table thead a").attr("href"))
                .endsWith("#instances-title");
        storage.queues().receive("azuremailtestqueue", 32, Duration.ofHours(1)).forEach(item -> storage.queues()
                .delete("azuremailtestqueue", item));
    }

    /** Returns the numbers of waiting items, from the first row of the table to the last. */
    private List<Integer> waiting() throws Exception {
        return browser.page().select("[id^=queue-azuremail] td[data-label=Waiting]").eachText().stream()
                .map(text -> Integer.valueOf(text.replaceAll("\\D", "")))
                .toList();
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
