package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Checks the metrics of a whole installation, so the class has its own installation. */
@PageTest
@TestPropertySource(properties = "azuremail.test.installation=metrics")
@DirtiesContext
class MetricsTest {

    private static final String METRICS = "/actuator/prometheus";

    @Autowired
    MockMvc mvc;

    @Autowired
    TestBrowser browser;

    @Autowired
    ApiKeys keys;

    @Autowired
    ManualTime time;

    @Autowired
    Storage storage;

    @Autowired
    DeadLetters letters;

    @Test
    void anAdminKeyReadsTheCountsOfTheStorage() throws Exception {
        double before = keyLookUps();
        double after = keyLookUps();

        assertThat(after).as("each of these calls looks its key up").isEqualTo(before + 1);
    }

    @Test
    void theLimitOfAddressesIsAboveTheNumberOfPagesAndCalls(
            @Value("${management.metrics.web.server.max-uri-tags}") int max,
            @Autowired @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mappings) {
        assertThat(mappings.getHandlerMethods().keySet().stream()
                        .flatMap(mapping -> mapping.getPatternValues().stream())
                        .distinct())
                .hasSizeBetween(100, max / 2);
    }

    @Test
    void nobodyElseReadsThem() throws Exception {
        String subscribeOnly = keys.create(
                        keys.nextSecret(),
                        ApiKey.Terms.of("test", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("own_list"))),
                        "test")
                .secret()
                .text();

        assertThat(mvc.perform(get(METRICS)).andReturn().getResponse().getStatus())
                .isEqualTo(401);
        assertThat(read("wrong-key-wrong-key-wrong-key").getStatus()).isEqualTo(401);
        assertThat(read(subscribeOnly).getStatus()).isEqualTo(403);
        assertThat(browser.signIn().openWithoutFollowing(METRICS).status()).isEqualTo(401);
    }

    @Test
    void k21_aQueueAndItsClassShowWhatWaitsAndProcessesAreCounted() throws Exception {
        Map<String, String> facts = Map.of(
                "seconds", "3600",
                "places/azuremailqueue-low", "4",
                "work/azuremailqueue-low/finished", "10 10",
                "work/azuremailqueue-low/millis", "600000 600000");
        Instances sender = new Instances(storage, time, new SeededIds(2)::token, () -> Stream.of(() -> facts));
        sender.register(new Registration("mill", Set.of("sender"), Set.of("azuremailqueue-low"), Set.of(), ""));
        storage.queues().createQueue("azuremailqueue-low");
        for (int i = 0; i < 12; i++) {
            storage.queues().send("azuremailqueue-low", "item " + i);
        }
        for (String id : List.of("p1", "p2")) {
            letters.add(DeadLetter.of("azuremailqueue-low", id, "x", Reason.ofText("no"), time.instant(), 5));
        }
        time.advance(Duration.ofMinutes(90));
        sender.heartbeat();

        Map<String, Double> meters = meters();

        for (String of : List.of("queue_%s{queue=\"azuremailqueue-low\"}", "class_%s{class=\"Low\"}")) {
            assertThat(meters)
                    .containsEntry(of.formatted("waiting"), 12.0)
                    .containsEntry(of.formatted("oldest_seconds"), 5400.0)
                    .containsEntry(of.formatted("remaining_seconds"), 180.0)
                    .containsEntry(of.formatted("dead_letters"), 2.0)
                    .containsEntry(of.formatted("places"), 4.0);
        }
        assertThat(meters)
                .containsEntry("class_waiting{class=\"High\"}", 0.0)
                .containsEntry("class_dead_letters{class=\"High\"}", 0.0)
                .containsEntry("class_suspended{class=\"Normal\"}", 0.0)
                .containsEntry("queue_stopped{queue=\"azuremailqueue\"}", 0.0)
                .containsEntry("processes{state=\"alive\"}", 2.0)
                .containsEntry(
                        "looked_at_timestamp_seconds", (double) time.instant().getEpochSecond());
        sender.deregister();
    }

    /** Returns the installation's meters by name and labels. */
    private Map<String, Double> meters() throws Exception {
        return read(PageTestConfiguration.API_KEY)
                .getContentAsString()
                .lines()
                .filter(line -> line.matches("azuremail_(queue|class|processes|looked).*"))
                .collect(Collectors.toMap(
                        line -> line.substring("azuremail_".length(), line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ')))));
    }

    private double keyLookUps() throws Exception {
        MockHttpServletResponse answer = read(PageTestConfiguration.API_KEY);
        assertThat(answer.getStatus()).isEqualTo(200);
        return answer.getContentAsString()
                .lines()
                .filter(line -> line.startsWith("azuremail_storage_calls_total"))
                .filter(line -> line.contains("name=\"apikey\"") && line.contains("operation=\"get\""))
                .filter(line -> line.contains("roles=\"web\"") && line.contains("store=\"table\""))
                .filter(line -> line.contains("outcome=\"ok\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no look-up of a key is counted"));
    }

    private MockHttpServletResponse read(String key) throws Exception {
        return mvc.perform(get(METRICS).header("Authorization", "Bearer " + key))
                .andReturn()
                .getResponse();
    }
}
