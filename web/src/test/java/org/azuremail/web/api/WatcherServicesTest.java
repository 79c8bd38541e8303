package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the capacity page and the calls that show the processes which run watchers. */
class WatcherServicesTest extends OnWatchers {

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
        browser.open("/capacity?sort=slots");
        assertThat(browser.page().select("tbody th small").eachText()).endsWith("second", "third");
        browser.open(browser.page().select("th[aria-sort] a").attr("href").replaceFirst("^", "/capacity"));
        browser.open(browser.page().select("#now").attr("hx-get"));
        assertThat(browser.page().select("tbody th small").eachText()).startsWith("second", "third");
        assertThat(browser.open("/capacity").text()).contains("the others have room for its watchers");
    }

    /** Covers scenarios O8 and O12. */
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
}
