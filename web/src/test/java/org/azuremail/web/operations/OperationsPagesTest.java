package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;

import com.jayway.jsonpath.JsonPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.operations.Operations;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.EndedMessage;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;

/** The page of a web process on the embedded storage, with a sender beside it. */
@PageTest
@Import(OperationsPagesTest.OnAFile.class)
@DirtiesContext
class OperationsPagesTest {

    private static final String QUEUE = "azuremailqueue";

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
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    ManualTime time;

    @Autowired
    Storage storage;

    @Autowired
    DeadLetters letters;

    @Autowired
    Switches switches;

    @Autowired
    EndedMessage messages;

    private final List<Instances> senders = new ArrayList<>();

    @AfterEach
    void everySenderStops() {
        senders.forEach(Instances::deregister);
    }

    @BeforeEach
    void letEarlierLooksGrowOld() {
        time.advance(Operations.CACHE_TTL);
    }

    @Test
    void aTransportThatIsDownIsShownAndTriedAgainWhenAPersonSaysSo() throws Exception {
        Values down = Values.of("OpenUntil", time.instant().plusSeconds(600)).with("Reason", "no connection");
        new Table(storage.tables(), "work").write("breaker", Write.upsert("outbox", down));

        browser.signIn().open("/operations");
        assertThat(browser.page().select("#transport-outbox").text())
                .contains("Nothing is sent through outbox until", "no connection");
        assertThat(browser.page().select("#idle")).as("mail waits").isEmpty();
        mvc.perform(get("/api/v1/operations").header("Authorization", "Bearer " + PageTestConfiguration.API_KEY))
                .andExpect(jsonPath("$.waitingTransports[0].name").value("outbox"))
                .andExpect(jsonPath("$.waitingTransports[0].reason").value("no connection"));
        BooleanSupplier waits =
                messages.waiting("down", time.instant().plusSeconds(600), "outbox is not used until later");
        assertThat(waits.getAsBoolean()).isTrue();
        browser.submit("/operations/try", Map.of("transport", "outbox"));

        assertThat(waits.getAsBoolean()).isFalse();
        assertThat(browser.text()).contains("Sending is tried again now");
        assertThat(browser.page().select("#transport-outbox")).isEmpty();
    }

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
    void whileEveryTransportIsLeftAloneMailHasNoEndButWaits() throws Exception {
        Values down = Values.of("OpenUntil", time.instant().plusSeconds(600)).with("Reason", "no connection");
        new Table(storage.tables(), "work").write("breaker", Write.upsert("outbox", down));
        storage.queues().createQueue(QUEUE);
        storage.queues().send(QUEUE, "item");
        storage.queues().createQueue("azuremailimportqueue");
        storage.queues().send("azuremailimportqueue", "item");
        time.advance(Duration.ofSeconds(5));

        browser.signIn().open("/operations");

        assertThat(cell(row(QUEUE), "Remaining")).isEqualTo("waits for outbox");
        assertThat(cell(row("azuremailimportqueue"), "Remaining")).isEqualTo("not known");
        String imports = "azuremailimportqueue";
        storage.queues().receive(imports, 32, Duration.ofHours(1)).forEach(item -> storage.queues()
                .delete(imports, item));
        browser.submit("/operations/try", Map.of("transport", "outbox"));
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
    void aSilentProcessIsShown() throws Exception {
        sender();
        time.advance(Instances.LIVE.plusSeconds(1));

        browser.signIn().open("/operations");

        assertThat(browser.text()).contains("A process is silent.", "mill (sender)");
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
    void aServiceOfThisProcessIsListedAndMayBeStopped() throws Exception {
        browser.signIn().open("/operations");

        assertThat(browser.page().getElementById("service-expired-sessions").text())
                .contains("Deleting expired sessions", "Runs", "1");
        assertThat(browser.page().getElementById("stop-expired-sessions")).isNotNull();
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
                "3600000 3600000");

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

    private void sender(String... facts) {
        Map<String, String> said = new TreeMap<>();
        for (int i = 0; i < facts.length; i += 2) {
            said.put(facts[i], facts[i + 1]);
        }
        Instances sender = new Instances(storage, time, IdSource.secure(), () -> Stream.of(() -> said));
        sender.register(new Registration("mill", Set.of("sender"), Set.of(QUEUE), Set.of(), ""));
        sender.heartbeat();
        senders.add(sender);
    }

    private Element row(String queue) throws Exception {
        return browser.page().getElementById("queue-" + queue);
    }

    private static String cell(Element row, String label) {
        return row.select("td[data-label=" + label + "]").text();
    }
}
