package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Write;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;

/** Checks that calls create, stop, withdraw and restart watchers, or are refused with the reason. */
class WatcherApiTest extends OnWatchers {

    /** Covers scenario O11. */
    @Test
    void aNameThatIsTakenAndAFullHouseAreRefusedWithTheReason() throws Exception {
        for (Row row : storage.tables()
                .query("service", KeyRange.partition(".all"), 1_000, null)
                .items()) {
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

    /** Covers scenarios O11 to O13. */
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
