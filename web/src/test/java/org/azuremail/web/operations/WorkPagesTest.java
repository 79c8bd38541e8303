package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.patch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.operations.Operations;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.PageTestConfiguration;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.Switches;
import org.azuremail.work.TuningOverride;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.WakeUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** Tests the pages of one queue and one service that belong to another process. */
@PageTest
@TestPropertySource(properties = "azuremail.operations.drain-within=2m")
@DirtiesContext
class WorkPagesTest {

    private static final String QUEUE = "azuremailqueue";
    private static final String SERVICE = "due-messages";

    @Autowired
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    ManualTime time;

    @Autowired
    Storage storage;

    @Autowired
    Switches switches;

    @Autowired
    InProcessSignals local;

    private Instances other;

    @BeforeEach
    void anotherProcess() {
        Map<String, String> said = Map.of(
                "every/" + SERVICE,
                "60",
                "polling",
                "adaptive",
                "limit/" + QUEUE,
                "100",
                "most/" + QUEUE,
                "4",
                "capacity",
                "4",
                "places/" + QUEUE,
                "4",
                "seconds",
                "3600",
                "work/" + QUEUE + "/finished",
                "36000 36000",
                "work/" + QUEUE + "/millis",
                "36000000 36000000");
        other = new Instances(storage, time, IdSource.secure()::token, () -> Stream.of(() -> said));
        other.register(new Instances.Registration("mill", Set.of("sender"), Set.of(QUEUE), Set.of(SERVICE), ""));
        other.heartbeat();
        time.advance(Operations.CACHE_TTL);
    }

    @AfterEach
    void asUsual() {
        other.deregister();
        switches.states().stops().keySet().forEach(switches::start);
        switches.states()
                .tuned()
                .keySet()
                .forEach(name -> tune(new TuningOverride(name, null, null, null, time.instant(), "")));
    }

    private void tune(TuningOverride tuned) {
        switches.tune(tuned.name(), now -> Optional.of(tuned));
    }

    @Test
    void l11_anAdminChangesTheIntervalOfAServiceThatRuns() throws Exception {
        browser.signIn().open("/operations");
        browser.open(browser.page().select("#service-" + SERVICE + " th a").attr("href"));
        assertThat(browser.page().select("#every").text()).isEqualTo("1 min");
        assertThat(browser.page().select("#interval-hint").text()).contains("from 1 s to 10 min");

        browser.submit("/operations/service", Map.of("interval", "4 min"));
        assertThat(browser.text()).contains("All processes follow within seconds", "by ann@example.org");
        assertThat(browser.page().select("#every").text()).isEqualTo("4 min (usually 1 min)");
        assertThat(switches.states().tuned().get(SERVICE).interval()).isEqualTo(Duration.ofMinutes(4));
        assertThat(browser.open("/operations")
                        .page()
                        .select("#service-" + SERVICE)
                        .text())
                .contains("every 4 min");

        browser.open("/operations/service?name=" + SERVICE);
        for (String odd : List.of("soon", "11 min", "0 s", "-1 s", "1 d", "999999999 d")) {
            browser.submit("/operations/service", Map.of("interval", odd));
            assertThat(browser.status()).as(odd).isEqualTo(422);
            assertThat(browser.errorAt("interval")).as(odd).contains("from 1 s to 10 min");
        }
        browser.submit("/operations/service", Map.of("interval", ""));
        assertThat(switches.states().tuned()).isEmpty();
    }

    @Test
    void k9_q13_anAdminChangesThePriorityAndTheLimitOfAQueue() throws Exception {
        browser.signIn().open("/operations/queue?name=" + QUEUE);
        assertThat(browser.page().select("#rate").text()).contains("10.00 on average", "10 % of the limit of 100");
        assertThat(browser.text()).contains("Adaptive:", "It has places of its own");

        browser.submit("/operations/queue", Map.of("priority", "7", "perSecond", "40"));
        TuningOverride tuned = switches.states().tuned().get(QUEUE);
        assertThat(tuned.priority()).isEqualTo(7);
        assertThat(tuned.perSecond()).isEqualTo(40);
        assertThat(browser.page().select("#rate").text()).contains("25 % of the limit of 40");

        browser.submit("/operations/queue", Map.of("priority", "101", "perSecond", "many"));
        assertThat(browser.status()).isEqualTo(422);
        assertThat(browser.errorAt("priority")).contains("1 to 100");
        assertThat(browser.errorAt("perSecond")).contains("1 to 1,000,000");
        assertThat(switches.states().tuned().get(QUEUE)).isEqualTo(tuned);
    }

    @Test
    void q19_theQueueSaysHowManyWorkersItTakes() throws Exception {
        storage.queues().createQueue(QUEUE);
        for (int i = 0; i < 500; i++) {
            storage.queues().send(QUEUE, "item " + i);
        }
        time.advance(Operations.CACHE_TTL);

        browser.signIn().open("/operations/queue?name=" + QUEUE);

        assertThat(browser.page().select("#workers").text())
                .as("500 items of a second each, within two minutes")
                .contains("4 now, 5 recommended", "within 2 min", "up to 4 in all processes", "Start another process");
        call(get("/api/v1/operations/" + QUEUE))
                .andExpect(jsonPath("$.recommended").value(5))
                .andExpect(jsonPath("$.places").value(4));
    }

    @Test
    void aServiceRunsNowUnlessItIsStopped() throws Exception {
        WakeUp woken = new WakeUp();
        local.listenToService(SERVICE, woken, () -> true);

        browser.signIn().open("/operations/service?name=" + SERVICE);
        browser.submit("/operations/run", Map.of());
        assertThat(woken.take()).isTrue();
        call(post("/api/v1/operations/" + SERVICE + "/run")).andExpect(status().isAccepted());
        assertThat(woken.take()).isTrue();

        switches.stop(SERVICE, "ann");
        woken.take();
        time.advance(Operations.CACHE_TTL);
        call(post("/api/v1/operations/" + SERVICE + "/run"))
                .andExpect(status().isConflict())
                .andExpect(jsonPath("$.code").value("stopped"));
        assertThat(browser.open("/operations/service?name=" + SERVICE).page().select("form[action=/operations/run]"))
                .isEmpty();
        assertThat(woken.take()).isFalse();
        call(post("/api/v1/operations/" + QUEUE + "/run")).andExpect(status().isNotFound());
        assertThat(browser.open("/operations/service?name=nothing").status()).isEqualTo(404);
        assertThat(browser.open("/operations/queue?name=%3Cscript%3E").status()).isEqualTo(404);
    }

    @Test
    void l11_aCallChangesWhatThePageChanges() throws Exception {
        call(change(SERVICE, "{\"everySeconds\": 30}"))
                .andExpect(jsonPath("$.everySeconds").value(30))
                .andExpect(jsonPath("$.usualSeconds").value(60))
                .andExpect(jsonPath("$.changedBy").value("API key Created at set-up"));
        call(change(QUEUE, "{\"priority\": 3}"))
                .andExpect(jsonPath("$.priority").value(3));
        call(change(QUEUE, "{\"perSecond\": 9}"))
                .andExpect(jsonPath("$.priority").value(3))
                .andExpect(jsonPath("$.perSecond").value(9));
        call(change(SERVICE, "{\"everySeconds\": 601, \"priority\": 1, \"perSecond\": 1}"))
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.errors[*].field")
                        .value(org.hamcrest.Matchers.containsInAnyOrder("everySeconds", "priority", "perSecond")));
        call(change(SERVICE, "{\"everySeconds\": 9223372036854775807}")).andExpect(status().isBadRequest());
        call(change(QUEUE, "{\"everySeconds\": 60}")).andExpect(status().isBadRequest());
        call(change(QUEUE, "{\"priority\": -1}")).andExpect(status().isBadRequest());
        call(change("nothing", "{}")).andExpect(status().isNotFound());
        call(change(SERVICE, "{\"everySeconds\": 0}"))
                .andExpect(jsonPath("$.everySeconds").value(60));
        mvc.perform(post("/api/v1/operations/" + SERVICE + "/run")).andExpect(status().isUnauthorized());
    }

    @Test
    void aCallKeepsWhatAnotherProcessChangedAMomentAgo() throws Exception {
        call(change(QUEUE, "{\"priority\": 3}"))
                .andExpect(jsonPath("$.priority").value(3));
        tune(new TuningOverride(QUEUE, null, 5, null, time.instant(), "another process"));

        call(change(QUEUE, "{\"perSecond\": 9}"))
                .andExpect(jsonPath("$.priority").value(5))
                .andExpect(jsonPath("$.perSecond").value(9));
    }

    @Test
    void aPageThatIsOlderThanTheLastChangeSavesNothing() throws Exception {
        browser.signIn().open("/operations/queue?name=" + QUEUE);
        call(change(QUEUE, "{\"priority\": 3}"));
        browser.submit("/operations/queue", Map.of("priority", "", "perSecond", "40"));
        assertThat(browser.text()).contains("modified by another user");
        assertThat(switches.states().tuned().get(QUEUE).perSecond()).isNull();
        browser.submit("/operations/queue", Map.of("priority", "", "perSecond", "40"));
        assertThat(switches.states().tuned().get(QUEUE).perSecond())
                .as("saved again")
                .isEqualTo(40);

        browser.open("/operations/service?name=" + SERVICE);
        call(change(SERVICE, "{\"everySeconds\": 30}"));
        browser.submit("/operations/service", Map.of("interval", "4 min"));
        assertThat(browser.text()).contains("modified by another user");
        assertThat(switches.states().tuned().get(SERVICE).interval()).isEqualTo(Duration.ofSeconds(30));
        browser.submit("/operations/service", Map.of("interval", "4 min"));
        assertThat(switches.states().tuned().get(SERVICE).interval()).isEqualTo(Duration.ofMinutes(4));
    }

    private static MockHttpServletRequestBuilder change(String name, String json) {
        return patch("/api/v1/operations/" + name)
                .contentType(MediaType.APPLICATION_JSON)
                .content(json);
    }

    private ResultActions call(MockHttpServletRequestBuilder request) throws Exception {
        return mvc.perform(request.header("Authorization", "Bearer " + PageTestConfiguration.API_KEY));
    }
}
