package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.azuremail.id.IdSource;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;
import org.azuremail.work.pace.PollingCurve;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks a strict pool of one place in a real loop: a low run that holds the place gives way to a high item. */
class GivingWayIT {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final SimulatedStorage storage = new SimulatedStorage(Time.system());
    private final InProcessSignals signals = new InProcessSignals();
    private final WorkQueues queues = new WorkQueues(
            storage.storage(),
            new Payloads(storage.storage(), IdSource.secure(), InlineWork.OVERFLOW_OVER),
            new Partitions(storage.storage(), Map.of(), Time.system()),
            List::of,
            new SharedSignals(signals, new MessageActivity(Time.system()), elsewhere -> {}));
    private final ExecutorService handlers = Executors.newCachedThreadPool();
    private final Switches switches = new Switches(storage.storage(), Signals.NONE, signals, Time.system());
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> ends = new ConcurrentHashMap<>();
    private QueueWorker worker = worker(Duration.ofHours(1));

    /**
     * A run records its beginning and its end. If the end is controlled by the test, it waits for it, or for the
     * request to stop.
     */
    private record Ranked(String queue, int rank, Duration ageing, GivingWayIT test) implements QueueService<String> {

        @Override
        public ItemType<String> itemType() {
            return new ItemType<>(queue, String.class, text -> text, text -> text);
        }

        @Override
        public WorkResult handle(String item, Delivery delivery) throws InterruptedException {
            test.events.add(item);
            CountDownLatch end = test.ends.get(item);
            while (end != null && !end.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)) {
                if (delivery.stopping()) {
                    test.ends.remove(item);
                    test.events.add(item + " gives way");
                    return new WorkResult.RetryAfter(Duration.ZERO);
                }
            }
            test.events.add(item + " ends");
            return WorkResult.DONE;
        }
    }

    private QueueWorker worker(Duration ageing) {
        WorkRuntime runtime = InlineWork.runtime(
                storage.storage(),
                new DeadLetters(storage.storage(), queues),
                InlineWork.leases(storage.storage(), Time.system(), IdSource.secure(), Duration.ZERO),
                Time.system(),
                handlers,
                new StopFlag(),
                Tuning.NONE);
        WakeUp wakeUp = new WakeUp();
        List<Ranked> pool = List.of(new Ranked("high", 0, ageing, this), new Ranked("low", 1, ageing, this));
        pool.forEach(service -> signals.listenToQueue(service.queue(), wakeUp, false));
        QueueRunner<String> runner = new QueueRunner<>(runtime, pool, 1, 1, wakeUp::signal, () -> 0.5);
        WorkProperties settings = Settings.of(Map.of("azuremail.work.safety-poll", "never"));
        MessageActivity activity = new MessageActivity(Time.system());
        WorkerContext context = new WorkerContext(runtime, settings, signals, activity, switches, () -> false, false);
        IdleRest idle = new IdleRest(pool, settings, activity, () -> false, Time.system());
        return new QueueWorker(runner, new PollingCurve(Duration.ofHours(8), () -> 0.5), idle, wakeUp, context);
    }

    @AfterEach
    void stop() throws Exception {
        worker.stop();
        worker.interrupt();
        assertThat(worker.join(SOON)).isTrue();
        handlers.shutdownNow();
    }

    private void lasting(String... items) {
        List.of(items).forEach(item -> ends.put(item, new CountDownLatch(1)));
    }

    private void end(String item) {
        ends.get(item).countDown();
    }

    private void put(String queue, String item) {
        queues.putText(queue, item, Duration.ZERO);
    }

    private void awaitEvent(String event) {
        await().atMost(SOON).until(() -> events.contains(event));
    }

    @Test
    @DisplayName("R7, A68: a low run is asked to end as soon as a high item waits, and the high item is next")
    void r7_aLowRunGivesWayAtOnce() {
        lasting("low0");
        put("high", "first");
        worker.start();
        awaitEvent("first ends");
        put("low", "low0");
        awaitEvent("low0");

        put("high", "high0");

        awaitEvent("low0 ends");
        assertThat(events)
                .containsExactly(
                        "first", "first ends", "low0", "low0 gives way", "high0", "high0 ends", "low0", "low0 ends");
    }

    @Test
    @DisplayName("R6, R7: a low run that has its turn by ageing keeps its place for five seconds, and then gives way")
    void r6_r7_anAgedRunGivesWayAfterFiveSeconds() {
        worker = worker(Duration.ofMillis(1));
        lasting("first", "low0");
        put("high", "first");
        worker.start();
        awaitEvent("first");
        put("low", "low0");
        put("high", "high0");
        end("first");
        awaitEvent("low0");

        await().during(QueueRunner.AGED_RUN_MIN_TIME.minusSeconds(2))
                .atMost(QueueRunner.AGED_RUN_MIN_TIME)
                .until(() -> !events.contains("low0 gives way"));
        awaitEvent("high0 ends");
        assertThat(events).containsSubsequence("low0", "low0 gives way", "high0");
    }

    @Test
    @DisplayName("R7, R13: a low run does not give way to items of a class that is suspended")
    void r7_r13_nobodyGivesWayToASuspendedClass() {
        lasting("low0");
        put("high", "first");
        worker.start();
        awaitEvent("first ends");
        switches.stop("high", "ann");
        put("low", "low0");
        awaitEvent("low0");

        put("high", "high0");

        await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> !events.contains("low0 gives way"));
        end("low0");
        awaitEvent("low0 ends");
        assertThat(events).doesNotContain("high0");
        switches.start("high");
        awaitEvent("high0 ends");
    }
}
