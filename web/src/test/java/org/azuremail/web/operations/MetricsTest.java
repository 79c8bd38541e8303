package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeys;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Checks the metrics of a whole installation, so the class has one of its own. */
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

    @Test
    void anAdminKeyReadsTheCountsOfTheStorage() throws Exception {
        double before = keyLookUps();
        double after = keyLookUps();

        assertThat(after).as("each of these calls looks its key up").isEqualTo(before + 1);
    }

    @Test
    void theLimitOfAddressesIsAboveTheNumberOfPagesAndCalls(
            @Value("${management.metrics.web.server.max-uri-tags}") int most,
            @Autowired @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mappings) {
        assertThat(mappings.getHandlerMethods().keySet().stream()
                        .flatMap(mapping -> mapping.getPatternValues().stream())
                        .distinct())
                .hasSizeBetween(100, most / 2);
    }

    @Test
    void nobodyElseReadsThem() throws Exception {
        String subscribeOnly = keys.make(
                        ApiKey.Terms.of("test", ApiKey.Scope.SUBSCRIBE, Set.of(new ListName("own_list"))), "test")
                .secret()
                .text();

        assertThat(mvc.perform(get(METRICS)).andReturn().getResponse().getStatus())
                .isEqualTo(401);
        assertThat(read("wrong-key-wrong-key-wrong-key").getStatus()).isEqualTo(401);
        assertThat(read(subscribeOnly).getStatus()).isEqualTo(403);
        assertThat(browser.signIn().openWithoutFollowing(METRICS).status()).isEqualTo(401);
    }

    @Test
    void k21_aQueueShowsWhatWaitsAndProcessesAreCounted() throws Exception {
        String text = read(PageTestConfiguration.API_KEY).getContentAsString();

        assertThat(text.lines().map(line -> line.replaceAll(" [0-9.E]+$", "")))
                .contains(
                        "azuremail_queue_waiting{queue=\"azuremailqueue\"}",
                        "azuremail_queue_oldest_seconds{queue=\"azuremailqueue\"}",
                        "azuremail_queue_remaining_seconds{queue=\"azuremailqueue\"}",
                        "azuremail_queue_dead_letters{queue=\"azuremailqueue\"}",
                        "azuremail_queue_places{queue=\"azuremailqueue\"}",
                        "azuremail_queue_stopped{queue=\"azuremailqueue\"}",
                        "azuremail_class_waiting{class=\"Low\"}",
                        "azuremail_class_oldest_seconds{class=\"High\"}",
                        "azuremail_class_suspended{class=\"Normal\"}",
                        "azuremail_processes{state=\"alive\"}",
                        "azuremail_looked_at_timestamp_seconds");
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
