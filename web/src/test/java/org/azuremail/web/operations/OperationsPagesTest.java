package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.jayway.jsonpath.JsonPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

/** Tests waiting work and the costs of polling for it, on the embedded storage. */
@Import(OperationsPagesTest.OnAFile.class)
@DirtiesContext
class OperationsPagesTest extends OnOperations {

    @TempDir
    static Path directory;

    @TestConfiguration(proxyBeanMethods = false)
    static class OnAFile {

        @Bean(destroyMethod = "close")
        EmbeddedStorage file(ManualTime time) {
            return EmbeddedStorage.open(directory, time);
        }

        @Bean
        Storage storage(EmbeddedStorage file) {
            return file.storage();
        }
    }

    @Autowired
    DeadLetters letters;

    @Test
    void r8_r9_r12_eachClassShowsItsWaitsItsTargetAndItsPolls() throws Exception {
        String queue = "work/azuremailqueue-low/";
        Map<String, String> said = Map.of(
                "begun", "10", "late", "1", "starved", "2", "wait-0", "8", "wait-30", "2", "looks", "50", "empty",
                "40");
        List<String> facts = new ArrayList<>(List.of("seconds", "3600", "places/azuremailqueue-low", "4"));
        said.forEach((name, count) -> facts.addAll(List.of(queue + name, count + " " + count)));
        sender(facts.toArray(String[]::new));
        String items = "azuremailqueue-low";
        storage.queues().createQueue(items);
        for (int i = 0; i < 3; i++) {
            storage.queues().send(items, "item " + i);
        }
        time.advance(Duration.ofMinutes(3));

        browser.signIn().open("/operations");

        Element low = browser.page().getElementById("class-Low");
        assertThat(cell(low, "Waiting")).isEqualTo("≈ 3");
        assertThat(cell(low, "Oldest")).isEqualTo("≈ 3 min");
        assertThat(cell(low, "'Half started within'")).isEqualTo("10 ms");
        assertThat(cell(low, "'95 % started within'")).isEqualTo("2.4 s");
        assertThat(cell(low, "'Within target'")).isEqualTo("90 % target 1 d");
        assertThat(cell(low, "'Waited too long'")).isEqualTo("2");
        assertThat(cell(low, "'In parallel'")).isEqualTo("4");
        assertThat(cell(low, "Polls")).isEqualTo("50 40 empty");
        Element normal = browser.page().getElementById("class-Normal");
        assertThat(cell(normal, "'Half started within'")).isEqualTo("–");
        assertThat(browser.page().select("[id^=class-] th").eachText())
                .extracting(text -> text.replaceAll(" .*", ""))
                .containsExactly("High", "Normal", "Low");
        storage.queues().receive(items, 32, Duration.ofHours(1)).forEach(item -> storage.queues()
                .delete(items, item));
    }

    @Test
    void k21_thePageShowsWaitingWorkItsTimeAndItsDeadLetters() throws Exception {
        sender(
                "capacity",
                "4",
                "places/" + QUEUE,
                "4",
                "seconds",
                "3600",
                "work/" + QUEUE + "/finished",
                "10 10",
                "work/" + QUEUE + "/millis",
                "600000 600000",
                "work/" + QUEUE + "/failed",
                "3 3");
        storage.queues().createQueue(QUEUE);
        for (int i = 0; i < 12; i++) {
            storage.queues().send(QUEUE, "item " + i);
        }
        letters.add(
                DeadLetter.of(QUEUE, "p1", "2026-01-01,8,@1:1,0", Reason.ofText("cannot be made"), time.instant(), 5));
        letters.add(
                DeadLetter.of("azuremailtestqueue", "p2", "of another queue", Reason.ofText("no"), time.instant(), 5));
        time.advance(Duration.ofMinutes(3));

        browser.signIn().open("/operations");

        Element row = row(QUEUE);
        assertThat(cell(row, "Waiting")).isEqualTo("≈ 12");
        assertThat(cell(row, "Oldest")).isEqualTo("≈ 3 min");
        assertThat(cell(row, "Time per item")).isEqualTo("1 min");
        assertThat(cell(row, "Remaining")).isEqualTo("≈ 3 min");
        assertThat(cell(row, "'In parallel'")).isEqualTo("4");
        assertThat(cell(row, "Done, last hour")).isEqualTo("10");
        assertThat(cell(row, "Failed tries")).isEqualTo("3");
        assertThat(cell(row, "Dead letters")).isEqualTo("1");
        assertThat(row.text()).contains("List emails");
        assertThat(browser.page().select("#instances-title ~ .table").first().text())
                .contains("mill", "sender", "web", "Alive", "handles no items");
        String letters = row.select("a[href^=/dead-letters]").attr("href");
        browser.open(letters);
        assertThat(browser.text()).contains("2026-01-01,8,@1:1,0").doesNotContain("of another queue");
    }

    @Test
    void callsThatCostNothingHereAreFoldedAway() throws Exception {
        browser.signIn().open("/operations");
        assertThat(browser.page().select("details#storage #calls-title")).hasSize(1);
        assertThat(browser.page().select("details#storage").hasAttr("open")).isFalse();
    }

    @Test
    void whereNobodyWorksThePageSaysSo() throws Exception {
        storage.queues().createQueue("azuremailimportqueue");
        storage.queues().send("azuremailimportqueue", "import");

        browser.signIn().open("/operations");

        assertThat(browser.text()).contains("No process works on the queue azuremailimportqueue", "≈ 1 item waits");
        assertThat(cell(row("azuremailimportqueue"), "Remaining")).isEqualTo("not known");
    }

    @Test
    void whereNothingWaitsThePageSaysThatThisIsNormal() throws Exception {
        for (String queue : List.of(QUEUE, "azuremailimportqueue")) {
            storage.queues().createQueue(queue);
            storage.queues().receive(queue, 32, Duration.ofHours(1)).forEach(item -> storage.queues()
                    .delete(queue, item));
        }

        browser.signIn().open("/operations");

        assertThat(browser.page().select("#idle").text()).contains("No work is waiting.");
        assertThat(cell(row(QUEUE), "Remaining")).isEqualTo("–");
    }

    @Test
    void q2_callsHaveTheirPrice() throws Exception {
        sender(
                "seconds",
                "3600",
                "capacity",
                "4",
                "places/" + QUEUE,
                "4",
                "calls/queue/" + QUEUE + "/renew",
                "1000 5000",
                "work/" + QUEUE + "/empty",
                "900 4000");

        browser.signIn().open("/operations");

        assertThat(browser.page().select("tr:contains(renew)").first().text())
                .contains("queue renew", "1,000", "720,000", "0.072 USD", "5,000");
        assertThat(browser.page().select("#polling-ours").text()).contains("648,000", "0.0648 USD");
    }

    @Test
    void theSameNumbersAreThereForPrograms() throws Exception {
        sender(
                "seconds",
                "3600",
                "capacity",
                "4",
                "places/" + QUEUE,
                "4",
                "work/" + QUEUE + "/finished",
                "10 10",
                "work/" + QUEUE + "/millis",
                "3600000 3600000",
                "calls/queue/" + QUEUE + "/renew",
                "10 10");

        String json = mvc.perform(
                        get("/api/v1/operations").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andReturn()
                .getResponse()
                .getContentAsString();

        assertThat(JsonPath.<List<Integer>>read(json, "$.queues[?(@.name=='azuremailqueue')].averageMillis"))
                .containsExactly(360_000);
        assertThat(JsonPath.<List<Double>>read(json, "$.instances[?(@.host=='mill')].busy"))
                .containsExactly(0.25);
        assertThat(JsonPath.<List<String>>read(json, "$.byOperation[*].store")).contains("table", "queue");
        assertThat(JsonPath.<String>read(json, "$.currency")).isEqualTo("USD");
    }
}
