package org.azuremail.work.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.service.WorkResult;

/** Queues of three ranks. An item occupies its place until the test ends its run. */
final class ClassedPool {

    static final Predicate<String> ALL = queue -> true;

    final ManualTime time = new ManualTime();
    final SimulatedStorage storage = new SimulatedStorage(time);
    final WorkQueues queues = InlineWork.queues(storage.storage());
    final List<String> begun = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    final Ranked high = new Ranked("high", 0);
    final Ranked normal = new Ranked("normal", 1);
    final Ranked low = new Ranked("low", 2);
    Duration ageing = Duration.ofMinutes(5);

    private final Deque<Runnable> underWay = new ArrayDeque<>();
    final WorkRuntime runtime = InlineWork.runtime(
            storage.storage(),
            new DeadLetters(storage.storage(), queues),
            InlineWork.leases(storage.storage(), time, new SeededIds(1), Duration.ZERO),
            time,
            underWay::add,
            new StopFlag(),
            Tuning.NONE);

    /** A service of one rank. A run that is asked to end soon records this and hands its item back. */
    final class Ranked implements QueueService<String> {

        private final String queue;
        private final int rank;
        Duration closedFor = Duration.ZERO;
        boolean safetyPolled = true;

        Ranked(String queue, int rank) {
            this.queue = queue;
            this.rank = rank;
        }

        @Override
        public ItemType<String> itemType() {
            return new ItemType<>(queue, String.class, text -> text, text -> text);
        }

        @Override
        public WorkResult handle(String item, Delivery delivery) {
            if (delivery.stopping()) {
                asked.add(item);
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
            begun.add(item);
            return WorkResult.DONE;
        }

        @Override
        public String pool() {
            return "mail";
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public Duration ageing() {
            return ageing;
        }

        @Override
        public Duration target() {
            return Duration.ofSeconds(10);
        }

        @Override
        public Duration closedFor() {
            return closedFor;
        }

        @Override
        public boolean safetyPolled() {
            return safetyPolled;
        }
    }

    QueueRunner<String> strict(int places) {
        return new QueueRunner<>(
                runtime, List.of(high, normal, low), places, places, () -> {}, new Random(7)::nextDouble);
    }

    QueueRunner<String> alone(Ranked service, int places) {
        return new QueueRunner<>(runtime, List.of(service), places, places, () -> {}, new Random(7)::nextDouble);
    }

    void put(Ranked service, String... items) {
        for (String item : items) {
            queues.putText(service.queue, item, Duration.ZERO);
        }
    }

    /** Ends the oldest run. */
    void end() {
        underWay.remove().run();
    }

    /** Kills the process with all its runs. */
    void forget() {
        underWay.clear();
    }

    void endAll() {
        while (!underWay.isEmpty()) {
            end();
        }
    }

    /** Takes and handles items, each for a second, until no more are taken. */
    void work(QueueRunner<String> runner) {
        while (runner.runOnce(ALL, false) > 0) {
            time.advance(Duration.ofSeconds(1));
            endAll();
        }
    }

    Workload.QueueCounts done(Ranked service) {
        return runtime.metrics().workload().snapshot().get(service.queue);
    }

    /** Returns texts for a number of items. */
    static String[] items(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + i).toArray(String[]::new);
    }
}
