package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks several services that share their places: one floods its queue, the other one gets an item from time to time.
 */
class PoolTest {

    private static final int ROUNDS = 40;

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final WorkQueues queues = InlineWork.queues(storage.storage());
    private final WorkRuntime runtime = InlineWork.runtime(
            storage.storage(),
            new DeadLetters(storage.storage(), queues),
            InlineWork.leases(storage.storage(), time, new SeededIds(1), java.time.Duration.ZERO),
            time,
            new StopFlag());
    private final AtomicInteger flood = new AtomicInteger();
    private final AtomicInteger rare = new AtomicInteger();

    /** A service of the pool with a priority that a test changes. */
    private record Pooled(String queue, AtomicInteger handled, double[] itsPriority) implements QueueService<String> {

        @Override
        public ItemType<String> itemType() {
            return new ItemType<>(queue, String.class, text -> text, text -> text);
        }

        @Override
        public WorkResult handle(String item, Delivery delivery) {
            handled.incrementAndGet();
            return WorkResult.DONE;
        }

        @Override
        public String pool() {
            return "shared";
        }

        @Override
        public double priority() {
            return itsPriority[0];
        }
    }

    private QueueRunner<String> runner(double[] priority) {
        List<Pooled> services =
                List.of(new Pooled("flood", flood, new double[] {1}), new Pooled("rare", rare, priority));
        return new QueueRunner<>(runtime, services, 1, 1, () -> {}, new Random(7)::nextDouble);
    }

    /** Returns how many items of the flood are handled before the rare one: the worst case and the sum. */
    private int[] waits(QueueRunner<String> runner) {
        int worst = 0;
        int all = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 60; i++) {
                put("flood");
                runner.runOnce();
            }
            put("rare");
            int before = rare.get();
            int wait = 0;
            while (rare.get() == before) {
                put("flood");
                runner.runOnce();
                wait++;
            }
            worst = Math.max(worst, wait);
            all += wait;
        }
        return new int[] {worst, all};
    }

    private void put(String queue) {
        queues.putText(queue, "x", java.time.Duration.ZERO);
    }

    @Test
    @DisplayName("K9: however long a flood, an item of another queue waits a bounded number of the flood's items")
    void k9_aFloodDelaysAnotherQueueByABoundedNumberOfItems() {
        int[] waits = waits(runner(new double[] {1}));

        assertThat(waits[0]).isLessThanOrEqualTo(2 * 16 + 2);
        assertThat(flood.get()).isGreaterThan(ROUNDS * 60);
    }

    @Test
    @DisplayName("K9: raising a queue's priority while it runs lowers what its items wait")
    void k9_raisingThePriorityLowersTheWait() {
        double[] priority = {1};
        QueueRunner<String> runner = runner(priority);
        int usual = waits(runner)[1];
        priority[0] = 8;

        assertThat(waits(runner)[1]).isLessThan(usual / 2);
    }

    @Test
    @DisplayName("K10: beside a queue that always has items, empty ones cost few calls")
    void k10_emptyQueuesCostFewCalls() {
        List<Pooled> services = new java.util.ArrayList<>(List.of(new Pooled("flood", flood, new double[] {1})));
        for (int i = 0; i < 20; i++) {
            services.add(new Pooled("empty-" + i, rare, new double[] {1}));
        }
        QueueRunner<String> runner = new QueueRunner<>(runtime, services, 1, 1, () -> {}, new Random(7)::nextDouble);
        for (int i = 0; i < 600; i++) {
            put("flood");
            runner.runOnce();
        }
        storage.resetCounters();

        for (int i = 0; i < 2000; i++) {
            put("flood");
            runner.runOnce();
        }

        assertThat(flood.get()).isGreaterThan(2500);
        assertThat(storage.calls(Call.Kind.RECEIVE)).isBetween(2000L, 2500L);
    }

    @Test
    @DisplayName("K9: services of one pool share one loop and their places, others keep their own")
    void k9_aPoolIsOneLoop() {
        Services services = new Services(
                List.of(
                        new Pooled("flood", flood, new double[] {1}),
                        SheetService.thatAnswers(WorkResult.DONE),
                        new Pooled("rare", rare, new double[] {1})),
                List.of(),
                List.of());

        InProcessSignals signals = new InProcessSignals();
        Switches switches = new Switches(storage.storage(), Signals.NONE, signals, time);
        List<Worker> workers = services.workers(new WorkerContext(
                runtime, Settings.safetyPoll("15m"), signals, new MessageActivity(time), switches, () -> false, false));

        assertThat(workers).extracting(Worker::toString).containsExactly("flood, rare", "sheets");
    }

    @Test
    void twoServicesOfOneQueueAreRefusedInAPoolToo() {
        Pooled pooled = new Pooled("flood", flood, new double[] {1});

        assertThatThrownBy(() -> new Services(List.of(pooled, pooled), List.of(), List.of()))
                .isInstanceOf(IllegalStateException.class);
    }
}
