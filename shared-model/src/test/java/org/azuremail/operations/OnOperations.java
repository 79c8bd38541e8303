package org.azuremail.operations;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageCalls;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.WatchedHolders;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Workload;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Senders and an observing process on one data file. */
abstract class OnOperations {

    static final String QUEUE = "azuremailqueue";
    static final String CONFIRMATIONS = "azuremailsubscribequeue";

    /** The default settings, which the tutorial's table of costs uses. */
    static final OperationsProperties SETTINGS = new Binder(new MapConfigurationPropertySource())
            .bindOrCreate("azuremail.operations", OperationsProperties.class);

    @TempDir
    Path directory;

    final Set<String> gone = new HashSet<>();
    Set<String> former = Set.of();
    final ManualTime time = new ManualTime();
    final StorageCalls calls = new StorageCalls("web");
    EmbeddedStorage embedded;
    Storage storage;
    DeadLetters deadLetters;
    Instances web;
    Operations operations;

    @BeforeEach
    void aWebProcess() {
        embedded = EmbeddedStorage.open(directory, time);
        storage = calls.around(embedded.storage());
        WorkQueues work = InlineWork.queues(storage);
        deadLetters = new DeadLetters(storage, work);
        web = new Instances(storage, time, new WatchedHolders(new SeededIds(1)::token, gone), Stream::of);
        operations = new Operations(
                web,
                new ProcessFacts(calls, new Workload(), time),
                deadLetters,
                new Switches(storage, Signals.NONE, new InProcessSignals(), time),
                new QueueProbe(storage.queues(), work),
                () -> Set.of(QUEUE, CONFIRMATIONS),
                () -> former,
                SETTINGS,
                time);
        web.register(new Registration("front", Set.of("web"), Set.of(), Set.of(), ""));
        web.heartbeat();
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    Instances sender(long seed, String name, Map<String, String> facts) {
        Instances sender = new Instances(storage, time, new SeededIds(seed)::token, () -> Stream.of(() -> facts));
        sender.register(new Registration(name, Set.of("sender"), Set.of(QUEUE), Set.of("trim", "sums"), ""));
        return sender;
    }

    void send(int items) {
        storage.queues().createQueue(QUEUE);
        IntStream.range(0, items).forEach(n -> storage.queues().send(QUEUE, "item " + n));
    }

    long calls() {
        return calls.snapshot().values().stream()
                .mapToLong(StorageCalls.Count::calls)
                .sum();
    }

    void later() {
        time.advance(Operations.CACHE_TTL);
    }
}
