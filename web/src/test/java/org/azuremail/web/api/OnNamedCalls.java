package org.azuremail.web.api;

import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;

/** Two lists, and a client whose calls may bear an Idempotency-Key. */
@PageTest
@DirtiesContext
abstract class OnNamedCalls {

    static final String LIST = "{\"name\": \"%s\", \"fromEmail\": \"news@example.org\", \"optIn\": \"%s\"}";
    static final String MESSAGE =
            "{\"list\": \"once_news\", \"subject\": \"%s\", \"html\": \"<p>x</p>\", \"scheduledAt\": \"2999-01-01T00:00:00Z\"}";

    @Autowired
    MockMvc mvc;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ManualTime time;

    ApiClient api;

    @BeforeEach
    void client() throws Exception {
        api = new ApiClient(mvc);
        api.post("/api/v1/lists", LIST.formatted("once_news", "double"));
        api.post("/api/v1/lists", LIST.formatted("once_single", "single"));
    }
}
