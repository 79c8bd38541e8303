package org.azuremail.web.sending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimits;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.AfterEach;
import org.springframework.beans.factory.annotation.Autowired;

/** Adds transports, and removes them after each test. */
@PageTest
abstract class OnTransports {

    static final String SECRET = "tr0ub4dor&3-hidden";

    @Autowired
    TestBrowser browser;

    @Autowired
    RateLimits limits;

    @Autowired
    TransportDirectory transports;

    @AfterEach
    void asItWas() {
        transports.reorder(transports.refresh().order(), List.of());
        transports.refresh().added().forEach((name, one) -> transports.remove(name, one.etag()));
        limits.of("outbox").change(Limits.NONE);
    }

    void add(String name, String host, int port) throws Exception {
        browser.open("/settings/new?preset=own-server")
                .submit(
                        "/settings/new",
                        Map.of(
                                "name", name,
                                "set.host", host,
                                "set.port", String.valueOf(port),
                                "set.username", "ann",
                                "set.password", SECRET));
    }

    void assertHidden(String where) throws Exception {
        assertThat(browser.body()).as(where).doesNotContain(SECRET, "tr0ub4dor&amp;3", "v1.");
    }
}
