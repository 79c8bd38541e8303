package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.ManualTime;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.Watchers;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;

/** Watchers on the pages and by calls, in each of their states; no process takes their turns here. */
@PageTest
@Import(WatchersTest.Pulse.class)
class WatchersTest {

    private static final String SETTINGS = """
            {"address": "https://example.org/feed.xml", "list": "watched", "what": "draft"}""";

    @Autowired
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    ListStore lists;

    @Autowired
    Storage storage;

    @Autowired
    Watchers watchers;

    @Autowired
    ManualTime time;

    private @Nullable Instances manager;

    @BeforeEach
    void aList() throws Exception {
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        lists.create(MailingList.of(new ListName("watched"), "", from, OptIn.DOUBLE, time.instant()));
        watchers.after("").toList();
        storage.tables()
                .write(
                        "service",
                        ".all",
                        Write.upsert(
                                ".counts", Values.builder().put("Commands", 1L).build()));
        browser.signIn();
    }

    @AfterEach
    void noManager() {
        if (manager != null) {
            manager.deregister();
        }
    }

    /** Without one, every command is refused. */
    private void aManager() {
        manager = new Instances(storage, time, IdSource.secure(), Stream::empty);
        String id = manager.register(new Registration("mill", Set.of("scheduler"), Set.of(), Set.of(), ""))
                .id();
        manager.heartbeat();
        Values counts = Values.builder().put("Commands", 1L).put("Manager", id).build();
        storage.tables().write("service", ".all", Write.upsert(".counts", counts));
    }

    @ParameterizedTest
    @CsvSource({
        "feed, 'weekDay', '1'",
        "feed, 'host', 'x'",
        "bounces, 'list', 'watched'",
        "replies, 'address', 'https://example.org/'",
        "pulse, 'color', 'red'"
    })
    void aSettingThatTheKindDoesNotHaveIsRefused(String kind, String name, String value) throws Exception {
        aManager();
        ApiClient api = new ApiClient(mvc);

        api.post(
                "/api/v1/watchers/test",
                "{\"kind\": \"" + kind + "\", \"settings\": {\"" + name + "\": \"" + value + "\"}}");

        assertThat(api.status()).isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[?(@.field == 'settings." + name + "')].message"))
                .containsExactly("There is no such setting.");
    }

    /** A fourth kind, of which the pages and calls know nothing else. */
    static final class Pulse implements WatcherKind {

        @Override
        public String name() {
            return "pulse";
        }

        @Override
        public Map<String, String> defaults() {
            return Map.of("beat", "10", "list", "", "title", "");
        }

        @Override
        public Set<String> secrets() {
            return Set.of("token");
        }

        @Override
        public Map<String, String> faults(Map<String, String> settings) {
            return settings.getOrDefault("beat", "10").matches("[0-9]+") ? Map.of() : Map.of("beat", "pulse-beat");
        }

        @Override
        public Reason test(Watcher watcher) {
            return Reason.ofText("It beats");
        }

        @Override
        public TurnResult turn(Watcher watcher, TurnContext context) {
            return new TurnResult(Duration.ofHours(1), "", Reason.NONE);
        }
    }

    @Test
    void aFourthKindNeedsOnlyItsClass() throws Exception {
        assertThat(browser.open("/watchers-new?kind=pulse").page().select("#name, #beat, #list, #title, #token"))
                .hasSize(5);
        assertThat(browser.page().select("nav.choices a").eachText()).contains("Feed", "pulse");
        assertThat(browser.page().select("#beat").val()).isEqualTo("10");
        assertThat(browser.page().select("label[for=title]").text()).isEqualTo("Title (optional)");
        browser.submit("/watchers-new", Map.of("name", "beating", "beat", "often", "list", "watched"));
        assertThat(browser.errorAt("beat")).isEqualTo("pulse-beat");
        assertThat(browser.errorAt("token")).isNotEmpty();
        Values pulse = Values.builder()
                .put("Name", "beating")
                .put("Kind", "pulse")
                .put("Settings", "{\"beat\":\"7\"}")
                .put("CreatedAt", time.instant())
                .put("ModifyAt", time.instant())
                .put("Status", "Processing")
                .build();
        storage.tables().write("watcher", ".all", Write.upsert("beating", pulse));
        assertThat(browser.open("/watchers/beating").page().select("#beat").val())
                .isEqualTo("7");
        assertThat(browser.open("/watchers?q=beating").text()).contains("pulse");
        assertThat(new ApiClient(mvc).get("/api/v1/watchers/beating").text()).contains("\"pulse\"");
    }

    private void stored(String name, String status, boolean failed) {
        stored(name, status, failed, SETTINGS);
    }

    private void stored(String name, String status, boolean failed, String settings) {
        Instant now = time.instant();
        Values values = Values.builder()
                .put("Name", name)
                .put("Kind", "feed")
                .put("Settings", settings)
                .put("CreatedAt", now)
                .put("ModifyAt", now)
                .put("Status", status)
                .put("Result", "|FEED_NEW|\\n3")
                .put("RanAt", now)
                .put("Failed", failed)
                .build();
        storage.tables().write("watcher", ".all", Write.upsert(name, values));
        time.advance(Duration.ofSeconds(10));
    }

    @Test
    void aWatcherIsShownConfiguredRestartedStoppedAndWithdrawn() throws Exception {
        aManager();
        stored("blog", "Processing", true);
        assertThat(browser.open("/watchers").text()).contains("blog", "Feed", "watched", "Failed", "3 new entries");
        browser.open("/watchers/blog").submit("/watchers/blog/restart", Map.of());
        assertThat(browser.text()).contains("The watcher blog is restarted.", "Running");
        browser.submit("/watchers/blog", Map.of("what", "daily", "title", ""));
        assertThat(browser.errorAt("title")).contains("A digest needs a title");
        browser.submit("/watchers/blog", Map.of("title", "Today"));
        assertThat(browser.text()).contains("The settings of blog are saved");
        assertThat(watchers.find("blog").orElseThrow().settings())
                .containsEntry("what", "daily")
                .containsEntry("title", "Today")
                .doesNotContainKeys("kind", "name", "etag", "_keep", "_csrf");
        browser.open("/watchers/blog/stop").submit("/watchers/blog/stop", Map.of());
        assertThat(browser.text())
                .contains("The watcher blog is being stopped.", "Stopping", "You can then create it again")
                .doesNotContain("This watcher is deleted");
        stored("blog", "Deleted", true);
        assertThat(browser.open("/watchers/blog").page().select("main .badge").text())
                .isEqualTo("Deleted");
        stored("early", "Created", false);
        browser.open("/watchers/early").submit("/watchers/early/withdraw", Map.of());
        assertThat(browser.text()).contains("The watcher early is withdrawn.");
        assertThat(browser.open("/watchers/nobody").status()).isEqualTo(404);
    }

    /** Earlier versions stored a field of the form with the settings. */
    @Test
    void aCallMayPutBackTheSettingsOfAnEarlierVersion() throws Exception {
        String old = SETTINGS.replace("}", ", \"_keep\": \"on\"}");
        stored("old", "Processing", false, old);
        ApiClient api = new ApiClient(mvc);

        assertThat(api.put("/api/v1/watchers/old", "{\"settings\": " + old + "}")
                        .status())
                .isEqualTo(200);

        assertThat(watchers.find("old").orElseThrow().settings()).containsOnlyKeys("address", "list", "what");
        assertThat(api.put("/api/v1/watchers/old", "{\"settings\": " + SETTINGS.replace("what", "when") + "}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void ofTwoWhoChangeTheSettingsTheSecondSeesWhatTheFirstSavedAndWinsWithTheNextSave() throws Exception {
        stored("shared", "Processing", false);
        browser.open("/watchers/shared");
        ApiClient api = new ApiClient(mvc);
        String path = "/api/v1/watchers/shared";
        String tag = api.get(path).header("ETag");
        String body = "{\"settings\": " + SETTINGS.replace("draft", "message") + "}";
        assertThat(api.ifMatch(tag).put(path, body).status()).isEqualTo(200);
        ApiClient second = api.ifMatch(tag).put(path, body);
        assertThat(second.status()).isEqualTo(412);
        assertThat(second.text()).contains("version-changed");
        Map<String, String> saved = watchers.find("shared").orElseThrow().settings();

        browser.submit("/watchers/shared", Map.of("minutes", "60"));

        assertThat(browser.text()).contains("was modified by another user", "Current value: message");
        assertThat(watchers.find("shared").orElseThrow().settings()).isEqualTo(saved);
        browser.submit("/watchers/shared", Map.of("minutes", "60"));
        assertThat(browser.text()).contains("The settings of shared are saved");
        assertThat(watchers.find("shared").orElseThrow().settings()).containsEntry("minutes", "60");
    }

    @Test
    void thePasswordOfAMailboxIsWrittenOnly() throws Exception {
        browser.open("/watchers-new?kind=bounces").submit("/watchers-new", Map.of("name", "box", "host", "-"));
        assertThat(browser.errorAt("host")).contains("name of the server");
        assertThat(browser.errorAt("password")).contains("Enter the password");
        stored("box", "Processing", false);
        Values box =
                storage.tables().get("watcher", ".all", "box").orElseThrow().values();
        storage.tables().write("watcher", ".all", Write.upsert("box", box.with("Kind", "bounces")));
        Map<String, String> form = Map.of("host", "imap.example.org", "username", "bounces", "password", "s3cret-é");
        browser.open("/watchers/box").submit("/watchers/box", form);
        assertThat(browser.text()).contains("The settings of box are saved", "Leave empty to keep it");
        assertThat(browser.body()).doesNotContain("s3cret");
        String sealedText = watchers.find("box").orElseThrow().secrets().get("password");
        browser.submit("/watchers/box", Map.of("username", "other", "password", ""));
        assertThat(watchers.find("box").orElseThrow().secrets()).containsOnly(Map.entry("password", sealedText));
        assertThat(watchers.find("box").orElseThrow().settings())
                .containsEntry("username", "other")
                .containsOnlyKeys("protocol", "host", "security", "username", "folder", "done", "moveTo", "minutes");
        assertThat(storage.tables()
                        .get("watcher", ".all", "box")
                        .orElseThrow()
                        .values()
                        .toString())
                .doesNotContain("s3cret");
        assertThat(new ApiClient(mvc).get("/api/v1/watchers/box").text())
                .contains("imap.example.org")
                .doesNotContain("s3cret", sealedText);
    }

    /** Nothing listens at port 1 of this machine. */
    @Test
    void aTestOfTheConnectionSaysWhatIsWrongAndSavesNothing() throws Exception {
        browser.open("/watchers-new?kind=bounces").submit("/watchers-test", Map.of("host", "-", "name", ""));
        assertThat(browser.errorAt("host")).contains("name of the server");
        browser.submit(
                "/watchers-test",
                Map.of("host", "localhost", "port", "1", "username", "me", "password", "s3cret-é", "minutes", "7"));
        assertThat(browser.text()).contains("The server localhost cannot be reached on port 1");
        assertThat(browser.body()).contains("value=\"7\"").doesNotContain("s3cret");
        String settings = """
                {"name": %s, "kind": "bounces", "settings": {"host": "localhost", "port": "1", "username": "me"%s}}""";
        ApiClient api = new ApiClient(mvc);
        String path = "/api/v1/watchers/test";
        assertThat(api.post(path, settings.formatted("null", "")).text()).contains("settings.password");
        assertThat(api.post(path, settings.formatted("null", ", \"password\": \"s3cret-é\""))
                        .text())
                .contains("\"reads\":false", "MAILBOX_UNREACHABLE")
                .doesNotContain("s3cret");
        assertThat(api.post(path, settings.formatted("\"nobody\"", "")).status())
                .isEqualTo(404);
        String feed = "{\"kind\": \"feed\", \"settings\": " + SETTINGS.replace("example.org", "127.0.0.1") + "}";
        assertThat(api.post(path, feed).text()).contains("\"reads\":false", "FEED_PRIVATE");
        assertThat(watchers.find("")).isEmpty();
    }

    @Test
    void aHundredWatchersAreOnAPage() throws Exception {
        for (int i = 100; i < 202; i++) {
            stored("page" + i, "Processing", false);
        }
        assertThat(browser.open("/watchers?after=page").text())
                .contains("page199", "Next page")
                .doesNotContain("page200");
        assertThat(browser.open("/watchers?after=page199").text())
                .contains("page201")
                .doesNotContain("Next page");
    }

    @Test
    void watchersAreFoundByStateAndText() throws Exception {
        stored("found-runs", "Processing", false);
        stored("found-waits", "Created", false);
        stored("found-fails", "Processing", true);
        stored("found-gone", "Deleted", false);
        assertThat(browser.open("/watchers?q=found-").text())
                .contains("found-runs", "found-waits", "found-fails")
                .containsPattern("Failed \\([1-9]")
                .doesNotContain("found-gone");
        for (String[] one : new String[][] {
            {"running", "found-runs"}, {"waiting", "found-waits"}, {"failed", "found-fails"}, {"deleted", "found-gone"}
        }) {
            browser.open("/watchers?q=FOUND&tab=" + one[0]);
            assertThat(browser.page().select("tbody th").eachText()).as(one[0]).containsExactly(one[1]);
            browser.open("/watchers-now?q=found&tab=" + one[0]);
            assertThat(browser.page().select("tbody th")).hasSize(1);
        }
        assertThat(browser.open("/watchers?q=watched").text()).contains("found-runs");
        assertThat(browser.open("/watchers?q=nothing-like-it").text()).contains("No watchers match");
        assertThat(browser.open("/watchers/found-gone").text())
                .contains("Create again")
                .doesNotContain("Save watcher");
        browser.submit("/watchers/found-gone/again", Map.of());
        assertThat(browser.text()).as("no manager lives here").contains("have just started");
    }

    @Test
    void aFailedWatcherNeedsAttention() throws Exception {
        stored("attended", "Processing", true);
        assertThat(browser.open("/").text()).contains("The watcher attended has failed", "3 new entries");
    }

    @Test
    void mistakesAreReportedAtTheirFieldsAndNothingTypedIsLost() throws Exception {
        browser.open("/watchers-new")
                .submit("/watchers-new", Map.of("name", "A b", "address", "http://me@127.1/", "minutes", "1"));
        assertThat(browser.errorAt("name")).contains("lower-case letters");
        assertThat(browser.errorAt("address")).contains("whole address");
        assertThat(browser.errorAt("minutes")).contains("5 to 10,080");
        assertThat(browser.body()).contains("http://me@127.1/");
        browser.submit("/watchers-new", Map.of("name", "blog2", "address", "https://example.org/feed", "minutes", "5"));
        assertThat(browser.errorAt("name")).as("no manager lives here").contains("have just started");
    }

    @Test
    void theCapacityPageWarnsWhereWatchersHaveNowhereElseToGo() throws Exception {
        assertThat(browser.open("/capacity").text()).doesNotContain("Watchers would stop");

        Instant now = time.instant();
        Values service = Values.builder()
                .put("Id", "only")
                .put("Name", "only")
                .put("CreatedAt", now)
                .put("ModifyAt", now)
                .put("WorkersCount", 5)
                .put("IsDeleted", false)
                .build();
        storage.tables().write("service", ".all", Write.upsert("only", service));
        stored("lonely", "Processing", false);
        Values lonely =
                storage.tables().get("watcher", ".all", "lonely").orElseThrow().values();
        storage.tables().write("watcher", ".all", Write.upsert("lonely", lonely.with("ServiceId", "only")));

        assertThat(browser.open("/capacity").text()).contains("Watchers would stop if one process were lost");
        for (String more : new String[] {"second", "third"}) {
            Values large = service.with("Id", more).with("WorkersCount", 1_000);
            storage.tables().write("service", ".all", Write.upsert(more, large));
        }
        assertThat(browser.open("/capacity").text()).contains("the others have room for its watchers");
    }

    private void service(String id, int slots, boolean deleted) {
        Values service = Values.builder()
                .put("Id", id)
                .put("Name", "mill")
                .put("CreatedAt", ManualTime.START)
                .put("ModifyAt", ManualTime.START.plusSeconds(60))
                .put("WorkersCount", slots)
                .put("IsDeleted", deleted)
                .build();
        storage.tables().write("service", ".all", Write.upsert(id, service));
    }

    /** O8, O12. */
    @ParameterizedTest
    @ValueSource(strings = {"Created", "Processing", "OnDeleting", "Deleted"})
    void servicesAndWatchersHaveTheColumnsOfTheSource(String status) throws Exception {
        service("birth-1", 7, true);
        Instant created = time.instant();
        stored("columns", status, false);
        Values values =
                storage.tables().get("watcher", ".all", "columns").orElseThrow().values();
        storage.tables()
                .write(
                        "watcher",
                        ".all",
                        Write.upsert(
                                "columns",
                                values.toBuilder()
                                        .put("ServiceId", "birth-1")
                                        .put("ModifyAt", created.plusSeconds(5))
                                        .put("PlacedAt", created.plusSeconds(3))
                                        .build()));
        ApiClient api = new ApiClient(mvc);

        List<Map<String, Object>> services = api.get("/api/v1/services").json("$.services[?(@.id == 'birth-1')]");
        assertThat(services)
                .containsExactly(Map.of(
                        "id", "birth-1",
                        "name", "mill",
                        "createdAt", "2026-01-01T12:00:00Z",
                        "modifyAt", "2026-01-01T12:01:00Z",
                        "workersCount", 7,
                        "used", 0,
                        "isDeleted", true));
        assertThat(api.get("/api/v1/watchers/columns").<Map<String, Object>>json("$"))
                .containsEntry("id", "columns")
                .containsEntry("name", "columns")
                .containsEntry("createdAt", created.toString())
                .containsEntry("modifyAt", created.plusSeconds(5).toString())
                .containsEntry("serviceId", "birth-1")
                .containsEntry("status", status);
        assertThat(browser.open("/capacity").text()).contains("mill", "Ended");
        assertThat(times()).as("of the service").contains("2026-01-01T12:00:00Z", "2026-01-01T12:01:00Z");
        String tab = status.equals("Deleted") ? "deleted" : "all";
        assertThat(browser.open("/watchers?q=columns&tab=" + tab).text()).contains("mill", "3 new entries");
        assertThat(times()).as("since when").contains(created.plusSeconds(3).toString());
        browser.open("/watchers/columns");
        assertThat(browser.page().select("time").eachAttr("datetime"))
                .as("of the watcher")
                .contains(created.toString(), created.plusSeconds(5).toString());
    }

    private List<String> times() throws Exception {
        return browser.page().select("tbody time").eachAttr("datetime");
    }

    /** O11. */
    @Test
    void aNameThatIsTakenAndAFullHouseAreRefusedWithTheReason() throws Exception {
        for (Row row : storage.tables()
                .query("service", KeyRange.partition(".all"), 1_000, null)
                .rows()) {
            storage.tables().write("service", ".all", Write.delete(row.rowKey()));
        }
        aManager();
        stored("taken", "Created", false);
        String body = "{\"name\": \"taken\", \"kind\": \"feed\", \"settings\": " + SETTINGS + "}";
        String path = "/api/v1/watchers";
        ApiClient api = new ApiClient(mvc);
        try {
            assertThat(api.post(path, body).status()).isEqualTo(409);
            assertThat(api.text()).contains("\"name-taken\"", "There is already a watcher taken");
            assertThat(api.post(path, body.replace("taken", "roomless")).status())
                    .isEqualTo(409);
            assertThat(api.text()).contains("\"no-slot\"", "no free slot");
            service("roomy", 1_000, false);
            assertThat(api.post(path, body.replace("taken", "roomless")).status())
                    .isEqualTo(201);
            assertThat(api.<String>json("$.status")).isEqualTo("Created");
            assertThat(api.<Object>json("$.serviceId")).isNull();
        } finally {
            storage.tables().write("service", ".all", Write.delete("roomy"));
        }
    }

    /** O11 to O13. */
    @Test
    void callsGiveTheExactAnswers() throws Exception {
        ApiClient api = new ApiClient(mvc);
        String body = "{\"name\": \"api\", \"kind\": \"feed\", \"settings\": " + SETTINGS + "}";
        assertThat(api.post("/api/v1/watchers", body).text()).contains("not-now");
        assertThat(api.post("/api/v1/watchers", body.replace("draft", "all")).text())
                .contains("fields-refused", "settings.what");
        assertThat(api.post("/api/v1/watchers", body.replace("\"feed\"", "\"none\""))
                        .status())
                .isEqualTo(400);
        String path = "/api/v1/watchers/api";
        assertThat(api.get(path).status()).isEqualTo(404);
        stored("api", "Created", false);
        assertThat(api.delete(path).text()).contains("\"not-activated\"", "not yet activated");
        assertThat(api.status()).isEqualTo(409);
        stored("api", "Processing", false);
        assertThat(api.delete(path).text()).contains("not-now");
        aManager();
        assertThat(api.post(path + "/withdraw", "").status()).isEqualTo(409);
        assertThat(api.post(path + "/restart", "").status()).isEqualTo(409);
        assertThat(api.post(path + "/again", "").text()).contains("state-forbids", "Stop api first");
        assertThat(api.send(
                                HttpMethod.PUT,
                                path,
                                "application/json",
                                "{\"settings\": " + SETTINGS.replace("draft", "message") + "}")
                        .text())
                .contains("\"message\"");
        assertThat(api.delete(path).status()).isEqualTo(202);
        assertThat(api.<String>json("$.answer")).isEqualTo("stopping");
        assertThat(api.delete(path).text()).contains("\"already-requested\"", "already requested");
        assertThat(api.status()).isEqualTo(409);
        stored("api", "Deleted", false);
        assertThat(api.delete(path).text()).contains("\"deleted\"", "is deleted");
        assertThat(api.status()).isEqualTo(409);
        assertThat(api.post(path + "/again", "").text()).contains("no-slot");
        assertThat(api.get("/api/v1/watchers").text()).contains("\"FEED_NEW\"");
        assertThat(api.get("/api/v1/services").text()).contains("\"survivesLoss\":false");
    }
}
