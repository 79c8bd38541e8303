package org.azuremail.web.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.ManualTime;
import org.azuremail.watcher.Watchers;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Signs an admin in, creates a list, and stores watchers in the state that a test needs. No process runs them. */
@PageTest
abstract class OnWatchers {

    static final String SETTINGS = """
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
        storage.tables().createTable("service");
        storage.tables().createTable("watcher");
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

    /** Other tests of pages share the storage. */
    @AfterEach
    void noWatchersAreLeft() {
        for (String table : List.of("watcher", "service")) {
            new Table(storage.tables(), table)
                    .stream(KeyRange.partition(".all"))
                            .forEach(row -> storage.tables().write(table, ".all", Write.delete(row.rowKey())));
        }
    }

    /** Registers a process that manages watchers. Without one, every command is refused. */
    void aManager() {
        manager = new Instances(storage, time, IdSource.secure()::token, Stream::empty);
        String id = manager.register(new Registration("mill", Set.of("scheduler"), Set.of(), Set.of(), ""))
                .id();
        manager.heartbeat();
        Values counts = Values.builder().put("Commands", 1L).put("Manager", id).build();
        storage.tables().write("service", ".all", Write.upsert(".counts", counts));
    }

    void stored(String name, String status, boolean failed) {
        stored(name, status, failed, SETTINGS);
    }

    void stored(String name, String status, boolean failed, String settings) {
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

    void service(String id, int slots, boolean deleted) {
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
}
