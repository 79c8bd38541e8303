package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.reopen.LastRestore;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.message.Message;
import org.azuremail.message.Messages;
import org.azuremail.message.MessagesInTests;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.watcher.Watcher;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.WatcherKind.TurnResult;
import org.azuremail.watcher.WatcherStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Turns of a feed watcher, with a real server on this machine and a simulated storage. */
abstract class FeedTurns {

    private static final ListName LIST = new ListName("readers");

    final ManualTime time = new ManualTime();
    final FeedFetcher fetch =
            new FeedFetcher(new PublicAddresses(InetAddress::getAllByName, true), Time.system(), Duration.ofSeconds(1));
    FeedServer server;
    SimulatedStorage simulated;
    String state = "";
    Reason result = Reason.NONE;
    Duration rest = Duration.ZERO;
    boolean trouble;
    Map<String, String> settings;

    @BeforeEach
    void aList() throws IOException {
        server = new FeedServer();
        settings = Map.of("address", server.address(), "list", "readers", "what", "message");
        begin();
    }

    void begin() {
        simulated = new SimulatedStorage(time, 7);
        state = "";
        result = Reason.NONE;
        Storage storage = simulated.storage();
        storage.tables().createTable(ListStore.TABLE);
        storage.tables().createTable("work");
        Mailbox from = new Mailbox(new EmailAddress("a@example.org"), "");
        new ListStore(storage.tables())
                .create(Lists.with(MailingList.of(LIST, "Readers", from, OptIn.DOUBLE, time.instant()), "shards", 1));
        messages(storage);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        fetch.close();
    }

    Messages messages(Storage storage) {
        return MessagesInTests.on(storage, time);
    }

    void turn() throws PermanentWatcherException {
        turn(simulated.storage());
    }

    void turn(Storage storage) throws PermanentWatcherException {
        Watcher.Progress progress = new Watcher.Progress(state, null, null, result, 0, false);
        Watcher watcher = new Watcher(
                "news",
                "feed",
                settings,
                Map.of(),
                ManualTime.START,
                ManualTime.START,
                WatcherStatus.PROCESSING,
                "s",
                null,
                progress);
        FeedKind kind =
                new FeedKind(fetch, new FeedEntries(storage), messages(storage), new LastRestore(storage), time);
        assertThat(kind.faults(settings)).isEmpty();
        TurnResult next = kind.turn(watcher, () -> false);
        state = next.state();
        result = next.result();
        rest = next.rest();
        trouble = next.trouble();
    }

    List<Message> created() {
        return messages(simulated.storage()).active();
    }

    List<String> subjects() {
        return created().stream().map(Message::subject).sorted().toList();
    }

    String html(Message message) {
        return messages(simulated.storage()).bodies(message).orElseThrow().html();
    }

    void set(String... namesAndValues) {
        settings = new java.util.HashMap<>(settings);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            settings.put(namesAndValues[i], namesAndValues[i + 1]);
        }
    }

    Watcher watcher() {
        return new Watcher(
                "news",
                "feed",
                settings,
                Map.of(),
                ManualTime.START,
                ManualTime.START,
                WatcherStatus.PROCESSING,
                "s",
                null,
                new Watcher.Progress("", null, null, Reason.NONE, 0, false));
    }
}
