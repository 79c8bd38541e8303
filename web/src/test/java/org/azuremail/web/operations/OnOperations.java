package org.azuremail.web.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.operations.Operations;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** The Operations page of a web process, beside senders that a test starts. */
@PageTest
abstract class OnOperations {

    static final String QUEUE = "azuremailqueue";

    @Autowired
    TestBrowser browser;

    @Autowired
    MockMvc mvc;

    @Autowired
    ManualTime time;

    @Autowired
    Storage storage;

    private final List<Instances> senders = new ArrayList<>();

    @AfterEach
    void everySenderStops() {
        senders.forEach(Instances::deregister);
    }

    @BeforeEach
    void letEarlierLooksGrowOld() {
        time.advance(Operations.CACHE_TTL);
    }

    void sender(String... facts) {
        Map<String, String> said = new TreeMap<>();
        for (int i = 0; i < facts.length; i += 2) {
            said.put(facts[i], facts[i + 1]);
        }
        Instances sender = new Instances(storage, time, IdSource.secure()::token, () -> Stream.of(() -> said));
        sender.register(new Registration("mill", Set.of("sender"), Set.of(QUEUE), Set.of(), ""));
        sender.heartbeat();
        senders.add(sender);
    }

    Element row(String queue) throws Exception {
        return browser.page().getElementById("queue-" + queue);
    }

    static String cell(Element row, String label) {
        return row.select("td[data-label=" + label + "]").text();
    }
}
