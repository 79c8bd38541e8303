package org.azuremail.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.blobset.SetJob;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.work.lease.Locks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@PageTest
class JobApiTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    Storage storage;

    @Autowired
    IdSource ids;

    @Autowired
    List<SetJob<?, ?>> functions;

    @Autowired
    ManualTime time;

    @Autowired
    Locks locks;

    private ApiClient api;

    @BeforeEach
    void aListWithAPerson() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", "{\"name\": \"api_jobs\", \"fromEmail\": \"news@example.org\"}");
        api.post("/api/v1/lists/api_jobs/subscriptions", "{\"email\": \"a@example.org\", \"verified\": true}");
    }

    @Test
    void aJobIsStartedFollowedAndItsFileFetched() throws Exception {
        assertThat(api.post("/api/v1/jobs", "{\"job\": \"export\", \"list\": \"api_jobs\"}")
                        .status())
                .isEqualTo(202);
        String id = api.json("$.id");
        assertThat(api.header("Location")).isEqualTo("/api/v1/jobs/" + id);
        assertThat(api.get("/api/v1/jobs/" + id).<String>json("$.state")).isEqualTo("running");
        assertThat(api.get("/api/v1/jobs/" + id + "/file").status()).isEqualTo(404);

        new InlineJobs(storage, time, ids, () -> functions).finish(id);

        assertThat(api.get("/api/v1/jobs/" + id).<String>json("$.state")).isEqualTo("done");
        assertThat(api.<Integer>json("$.file.rows")).isEqualTo(1);
        assertThat(api.<Integer>json("$.people")).isEqualTo(1);
        int bytes = api.json("$.file.bytes");
        assertThat(api.get("/api/v1/jobs/" + id + "/file").text())
                .contains("a@example.org,,Subscribed,true")
                .hasSize(bytes);
        assertThat(api.get("/api/v1/jobs?limit=1000").<List<String>>json("$.items[*].id"))
                .contains(id);
        assertThat(api.delete("/api/v1/jobs/" + id).status()).isEqualTo(409);
    }

    @Test
    void statisticsAreInTheJobAndARunningOneIsCancelledOnce() throws Exception {
        api.post("/api/v1/jobs", "{\"job\": \"statistics\", \"list\": \"api_jobs\"}");
        String id = api.json("$.id");
        new InlineJobs(storage, time, ids, () -> functions).finish(id);
        assertThat(api.get("/api/v1/jobs/" + id).<Integer>json("$.statistics.subscribed"))
                .isEqualTo(1);
        assertThat(api.<Integer>json("$.statistics.states.subscribed")).isEqualTo(1);
        assertThat(api.<String>json("$.statistics.domains[0].name")).isEqualTo("example.org");

        api.post("/api/v1/jobs", "{\"job\": \"statistics\", \"list\": \"api_jobs\"}");
        String second = api.json("$.id");
        assertThat(api.delete("/api/v1/jobs/" + second).status()).isEqualTo(200);
        assertThat(api.<String>json("$.state")).isEqualTo("cancelled");
        assertThat(api.delete("/api/v1/jobs/" + second).status())
                .as("once more")
                .isEqualTo(200);
    }

    @Test
    void unconfirmedPeopleAreAskedAgainByOneJobAtATime() throws Exception {
        String wanted = "{\"job\": \"ask-again\", \"list\": \"api_jobs\"}";
        assertThat(api.post("/api/v1/jobs", wanted).status()).isEqualTo(202);
        assertThat(api.<String>json("$.job")).isEqualTo("ask-again");
        String id = api.json("$.id");

        assertThat(api.post("/api/v1/jobs", wanted).status()).isEqualTo(409);
        assertThat(api.delete("/api/v1/jobs/" + id).status()).isEqualTo(200);
        assertThat(api.post("/api/v1/jobs", "{\"job\": \"ask-again\", \"list\": \"api_jobs\", \"segment\": \"vips\"}")
                        .status())
                .isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("segment");
    }

    @Test
    void aCallThatBrokeOffWhileItStartedTheJobDoesNotCountAsAsking() throws Exception {
        String wanted = "{\"job\": \"ask-again\", \"list\": \"api_jobs\"}";
        locks.acquire("asked-again.api_jobs", Duration.ofMinutes(1), Duration.ZERO)
                .orElseThrow();

        assertThat(api.post("/api/v1/jobs", wanted).status()).isEqualTo(409);
        assertThat(api.<String>json("$.code")).isEqualTo("not-now");
        assertThat(api.<String>json("$.detail")).startsWith("Nothing was started");

        time.advance(Duration.ofMinutes(3));
        assertThat(api.post("/api/v1/jobs", wanted).status()).isEqualTo(202);
        String id = api.json("$.id");
        locks.acquire("asked-again.api_jobs", Duration.ofMinutes(1), Duration.ZERO)
                .orElseThrow();
        assertThat(api.post("/api/v1/jobs", wanted).status()).isEqualTo(409);
        assertThat(api.<String>json("$.code")).as("it runs by now").isEqualTo("state-forbids");
        assertThat(api.delete("/api/v1/jobs/" + id).status()).isEqualTo(200);
        time.advance(Duration.ofMinutes(3));
    }

    @Test
    void anImpossibleJobIsRefused() throws Exception {
        assertThat(api.post("/api/v1/jobs", "{\"job\": \"fly\", \"list\": \"\"}")
                        .status())
                .isEqualTo(400);
        assertThat(api.<List<String>>json("$.errors[*].field")).containsExactly("job", "list");
        assertThat(api.post("/api/v1/jobs", "{\"job\": \"export\", \"list\": \"nowhere\"}")
                        .status())
                .isEqualTo(404);
        assertThat(api.post("/api/v1/jobs", "{\"job\": \"export\", \"list\": \"api_jobs\", \"segment\": \"x\"}")
                        .status())
                .isEqualTo(404);
        assertThat(api.get("/api/v1/jobs/none").status()).isEqualTo(404);
        assertThat(api.delete("/api/v1/jobs/none").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/jobs?cursor=%00").status()).isEqualTo(400);
    }
}
