package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.junit.jupiter.api.Test;

/** Checks how pages and calls validate, test and save the settings of watchers. */
class WatcherSettingsTest extends OnWatchers {

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

    /** No server listens at port 1 of this machine. */
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
}
