package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.azuremail.eventlog.Event;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

/** Checks that calls can do everything that the pages of operators can. */
@PageTest
class OperatingByCallTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    EventLog events;

    @Autowired
    DeadLetters letters;

    @Autowired
    Time time;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ObjectProvider<TestBrowser> browsers;

    private ApiClient api;

    @BeforeEach
    void client() {
        api = new ApiClient(mvc);
    }

    @Test
    void r13_aClassIsSuspendedAndResumed() throws Exception {
        assertThat(api.get("/api/v1/mail-classes").<List<String>>json("$.items[*].name"))
                .containsExactly("High", "Normal", "Low");
        assertThat(api.<List<Integer>>json("$.items[?(@.name=='High')].targetSeconds"))
                .containsExactly(10);

        assertThat(api.post("/api/v1/mail-classes/low/suspend", "").status()).isEqualTo(204);
        assertThat(api.get("/api/v1/mail-classes").<List<String>>json("$.items[?(@.name=='Low')].suspendedAt"))
                .singleElement()
                .isNotNull();
        assertThat(api.post("/api/v1/mail-classes/Low/resume", "").status()).isEqualTo(204);
        assertThat(api.get("/api/v1/mail-classes").<List<String>>json("$.items[?(@.name=='Low')].suspendedAt"))
                .containsExactly((String) null);
        assertThat(api.post("/api/v1/mail-classes/Gold/suspend", "").status()).isEqualTo(404);
    }

    @Test
    void deadLettersAreListedRestoredAndDeleted() throws Exception {
        for (String item : List.of("one", "two")) {
            letters.add(DeadLetter.of(
                    "azuremailtestqueue",
                    item,
                    "work " + item,
                    Reason.ofText("broken"),
                    Instant.parse("2026-01-01T12:00:00Z"),
                    5));
        }
        List<String> ids =
                api.get("/api/v1/dead-letters?queue=azuremailtestqueue").json("$.items[*].id");
        assertThat(ids).hasSize(2);
        assertThat(api.get("/api/v1/dead-letters?queue=other").<List<?>>json("$.items"))
                .isEmpty();
        assertThat(api.get("/api/v1/dead-letters/" + ids.get(0)).<String>json("$.text"))
                .startsWith("work ");

        assertThat(api.post("/api/v1/dead-letters/" + ids.get(0) + "/restore", "")
                        .status())
                .isEqualTo(204);
        assertThat(api.delete("/api/v1/dead-letters/" + ids.get(1)).status()).isEqualTo(204);
        assertThat(api.delete("/api/v1/dead-letters/" + ids.get(1)).status()).isEqualTo(404);
        assertThat(api.post("/api/v1/dead-letters/a%23b/restore", "").status()).isEqualTo(404);
    }

    @Test
    void workIsStoppedAndStarted() throws Exception {
        assertThat(api.post("/api/v1/operations/azuremailqueue/stop", "").status())
                .isEqualTo(204);
        assertThat(api.get("/api/v1/operations")
                        .<List<?>>json("$.queues[?(@.name == 'azuremailqueue' && @.stoppedAt != null)]"))
                .hasSize(1);
        assertThat(api.post("/api/v1/operations/azuremailqueue/start", "").status())
                .isEqualTo(204);
        assertThat(api.post("/api/v1/operations/nothing/stop", "").status()).isEqualTo(404);
    }

    @Test
    void limitsAreReadAndChanged() throws Exception {
        String name = api.get("/api/v1/transports")
                .<List<String>>json("$.items[*].name")
                .get(0);
        String path = "/api/v1/transports/" + name;

        assertThat(patch(api, path, "{\"perHour\": 500}").<Integer>json("$.perHour"))
                .isEqualTo(500);
        assertThat(api.get(path).<Integer>json("$.perHour")).isEqualTo(500);
        assertThat(patch(api, path, "{\"perHour\": -1, \"perDay\": 100000001}").<List<String>>json("$.errors[*].field"))
                .containsExactly("perHour", "perDay");
        assertThat(patch(api, path, "{\"perHour\": \"many\"}").<String>json("$.errors[0].message"))
                .isEqualTo("This is a whole number, without quotes.");
        patch(api, path, "{\"perHour\": 0}");
        assertThat(api.post(path + "/try", "").status()).isEqualTo(204);
        assertThat(api.get("/api/v1/transports/pigeon").status()).isEqualTo(404);
    }

    @Test
    void aCallerWhoChangesOneLimitLosesNoOtherThatIsChangedMeanwhile() throws Exception {
        String path = "/api/v1/transports/"
                + api.get("/api/v1/transports")
                        .<List<String>>json("$.items[*].name")
                        .get(0);
        ApiClient other = new ApiClient(mvc);
        afterTheNextLookAtLimits(() -> patch(other, path, "{\"perDay\": 1000}"));

        assertThat(patch(api, path, "{\"perHour\": 100}").status()).isEqualTo(200);

        assertThat(other.status()).as("the other caller came in between").isEqualTo(200);
        assertThat(api.get(path).<Integer>json("$.perHour")).isEqualTo(100);
        assertThat(api.<Integer>json("$.perDay")).isEqualTo(1000);
        patch(api, path, "{\"perHour\": 0, \"perDay\": 0}");
    }

    @Test
    void twoWhoPutTheSameTransportAtOnceBothSucceed() throws Exception {
        String path = "/api/v1/transports/twice";
        String smtp = "{\"kind\": \"smtp\", \"settings\": {\"host\": \"%s.example.org\"}}";
        ApiClient other = new ApiClient(mvc);
        afterTheNextLookAtLimits(() -> other.put(path, smtp.formatted("a")));

        assertThat(api.put(path, smtp.formatted("b")).status()).as(api.text()).isEqualTo(200);

        assertThat(other.status()).as("the other caller came in between").isEqualTo(201);
        assertThat(api.get(path).<String>json("$.settings.host")).isEqualTo("b.example.org");
        api.delete(path);
    }

    private void afterTheNextLookAtLimits(Callable<?> meanwhile) {
        storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Call.Kind.GET && call.partition().equals("rate")) {
                    storage.hook(CallHook.NONE);
                    try {
                        meanwhile.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        });
    }

    @Test
    void aTransportIsAddedUsedChangedAndRemovedAndItsSecretIsNeverAnswered() throws Exception {
        String path = "/api/v1/transports/by-call";
        put(path, "{\"kind\": \"smtp\", \"settings\": {\"port\": \"99999\", \"color\": \"red\"}}");
        assertThat(api.<List<String>>json("$.errors[*].field"))
                .containsExactlyInAnyOrder("settings.host", "settings.port", "settings.color");
        assertThat(put(path, "{\"kind\": \"pigeon\"}").<List<String>>json("$.errors[*].field"))
                .containsExactly("kind");
        put(path, "{\"kind\": \"smtp\", \"settings\": {\"host\": \"a.example.org\", \"password\": \"hidden-word\"}}");
        assertThat(api.status()).isEqualTo(201);
        assertThat(api.text()).doesNotContain("hidden-word", "v1.").contains("\"secrets\":[\"password\"]");
        assertThat(api.<Integer>json("$.place")).isZero();
        String tag = api.get(path).header("ETag");

        put(path, "{\"kind\": \"smtp\", \"settings\": {\"host\": \"b.example.org\"}}");
        assertThat(api.<List<String>>json("$.secrets"))
                .as("one that is left out stays")
                .containsExactly("password");
        assertThat(api.ifMatch(tag).delete(path).status()).isEqualTo(412);
        put("/api/v1/transports", "{\"order\": [\"pigeon\"]}");
        assertThat(api.status()).isEqualTo(400);
        put("/api/v1/transports", "{\"order\": [\"by-call\"]}");
        assertThat(api.<String>json("$.items[0].name")).isEqualTo("by-call");
        assertThat(put("/api/v1/transports/outbox", "{\"kind\": \"outbox\"}").<String>json("$.code"))
                .isEqualTo("transport-in-use");
        assertThat(api.delete("/api/v1/transports/outbox").<String>json("$.code"))
                .isEqualTo("transport-in-use");
        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get("/api/v1/transports").<List<String>>json("$.items[*].name"))
                .containsExactly("outbox");
    }

    /** Somebody removed the transport after the caller had read it. */
    @Test
    void aTransportThatIsGoneIsNotAddedAgainByAChange() throws Exception {
        String path = "/api/v1/transports/gone-by-call";
        String smtp = "{\"kind\": \"smtp\", \"settings\": {\"host\": \"a.example.org\"}}";
        String tag = put(path, smtp).header("ETag");
        api.delete(path);

        assertThat(api.ifMatch(tag).put(path, smtp).status()).isEqualTo(412);
        assertThat(api.ifMatch("*").put(path, smtp).status()).isEqualTo(412);
        assertThat(api.get(path).status()).isEqualTo(404);
    }

    private ApiClient put(String path, String json) throws Exception {
        return api.send(org.springframework.http.HttpMethod.PUT, path, "application/json", json);
    }

    @Test
    void eventsSayWhatThePageSaysAndNoMore() throws Exception {
        for (int i = 0; i < 3; i++) {
            events.write(new Event(
                    Instant.parse("2026-01-01T12:00:0" + i + "Z"),
                    EventLevel.ERROR,
                    "host/1",
                    "org.azuremail.Test",
                    "event number " + i,
                    "the details"));
        }
        api.get("/api/v1/events?level=error&limit=2");
        assertThat(api.<List<String>>json("$.items[*].title")).hasSize(2);
        assertThat(api.<List<Object>>json("$.items[*].details")).containsOnlyNulls();
        assertThat(new TreeSet<>(api.<Map<String, Object>>json("$.items[0]").keySet()))
                .containsExactly("at", "details", "id", "level", "process", "source", "title");
        String id = api.json("$.items[0].id");
        String cursor = api.json("$.cursor");
        String title = api.json("$.items[0].title");
        assertThat(api.get("/api/v1/events?level=error&limit=2&cursor=" + cursor)
                        .<List<String>>json("$.items[*].id"))
                .isNotEmpty()
                .doesNotContain(id);
        assertThat(api.get("/api/v1/events/" + id).<String>json("$.title")).isEqualTo(title);
        assertThat(browsers.getObject().signIn().open("/events?level=error").text())
                .contains(title);
        assertThat(api.get("/api/v1/events/nothing").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/events?cursor=nonsense").status()).isEqualTo(400);
        assertThat(api.get("/api/v1/events?level=loud&limit=0").<List<String>>json("$.errors[*].field"))
                .containsExactly("level", "limit");
    }

    @Test
    void eventsAreFilteredByCallAndDownloaded() throws Exception {
        Instant at = time.instant().minusSeconds(7200).truncatedTo(ChronoUnit.SECONDS);
        events.write(new Event(at, EventLevel.ERROR, "barn/7", "Disk", "The barn is full", "of hay"));
        events.write(new Event(at.plusSeconds(5), EventLevel.ERROR, "barn/8", "Disk", "The barn is full", "of straw"));
        String filter = "since=" + at + "&until=" + at.plusSeconds(5) + "&process=BARN&text=full&level=error";

        assertThat(api.get("/api/v1/events?" + filter).<List<String>>json("$.items[*].process"))
                .containsExactly("barn/7");
        assertThat(api.get("/api/v1/events/file?" + filter).text())
                .contains("\"details\":\"of hay\"")
                .doesNotContain("straw");
        assertThat(api.get("/api/v1/events/file?format=text&" + filter).text())
                .isEqualTo(at + " error barn/7 Disk: The barn is full\n    of hay\n");
        assertThat(api.get("/api/v1/events?since=yesterday&until=2026-01-01&level=loud&process=" + "x".repeat(201))
                        .<List<String>>json("$.errors[*].field"))
                .containsExactly("since", "until", "level", "process");
        assertThat(api.get("/api/v1/events?since=" + at + "&until=" + at).status())
                .isEqualTo(400);
        assertThat(api.get("/api/v1/events/file?format=xml").status()).isEqualTo(400);
    }

    private static ApiClient patch(ApiClient client, String path, String json) throws Exception {
        return client.send(HttpMethod.PATCH, path, "application/json", json);
    }
}
