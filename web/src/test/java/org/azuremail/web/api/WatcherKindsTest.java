package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Import;

/** Checks that the pages and calls offer a kind of watcher by its class alone. */
@Import(WatcherKindsTest.Pulse.class)
class WatcherKindsTest extends OnWatchers {

    /** A fourth kind, which the pages and calls know only as a bean. */
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
}
