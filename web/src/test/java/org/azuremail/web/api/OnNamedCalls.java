package org.azuremail.web.api;

import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;

/** Creates two lists, and a client whose calls may have an Idempotency-Key. */
@PageTest
@DirtiesContext
abstract class OnNamedCalls {

    static final String LIST = "{\"name\": \"%s\", \"fromEmail\": \"news@example.org\", \"optIn\": \"%s\"}";
    static final String MESSAGE =
            "{\"list\": \"once_news\", \"subject\": \"%s\", \"html\": \"<p>x</p>\", \"scheduledAt\": \"2999-01-01T00:00:00Z\"}";

    static final String WATCHER = "{\"name\": \"%s\", \"kind\": \"feed\", \"settings\":"
            + " {\"address\": \"https://example.org/feed.xml\", \"list\": \"once_news\", \"what\": \"draft\"}}";

    @Autowired
    MockMvc mvc;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ManualTime time;

    ApiClient api;

    private Instances manager;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", LIST.formatted("once_news", "double"));
        api.post("/api/v1/lists", LIST.formatted("once_single", "single"));
        manager = new Instances(storage.storage(), time, new SeededIds(13)::token, Stream::of);
        manager.register(new Registration("scheduler", Set.of("scheduler"), Set.of(), Set.of(), ""));
        watchersHaveAManager();
    }

    /** Registers a process that manages watchers and has room for a thousand. It counts as alive for some minutes. */
    void watchersHaveAManager() {
        manager.heartbeat();
        Values counts = Values.builder()
                .put("Manager", manager.self().orElseThrow().id())
                .build();
        Values service = Values.builder()
                .put("Id", "s")
                .put("Name", "s")
                .put("CreatedAt", time.instant())
                .put("ModifyAt", time.instant())
                .put("WorkersCount", 1_000)
                .build();
        storage.tables().createTable("service");
        storage.tables().write("service", ".all", Write.upsert(".counts", counts));
        storage.tables().write("service", ".all", Write.upsert("s", service));
    }
}
