package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.storage.simulated.EachCall;
import org.azuremail.work.InlineWork;
import org.azuremail.work.WorkContract;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of the calls needed to receive items, and of the number of items that are handled at a time. */
public interface ReceiveContract extends WorkContract {

    /** The number of items, which is enough for several full receives. */
    int ITEMS = 100;

    @Test
    @DisplayName(
            "Q10: a hundred items take hardly more than the four receives that they need at least, each item deleted after its work")
    default void q10_aReceiveTakesUpTo32() {
        Receives receives = new Receives();
        WorkBench bench = bench().process(receives.of(storage()));
        put(bench);
        SheetService service = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);
        QueueRunner<Sheet> runner = InlineWork.runner(bench.runtime, service, ITEMS, () -> {});

        drain(List.of(runner));

        assertThat(receives.count.get()).as("one may bring fewer").isBetween(4 + 1, 10);
        assertThat(service.begun).hasSize(ITEMS).doesNotHaveDuplicates();
        assertThat(bench.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("Q12: a process with eight places does with an eighth of the receives what eight naive workers do")
    default void q12_onePlaceEachCostsAReceiveEach() {
        Receives ofNaive = new Receives();
        WorkBench naive = bench().process(ofNaive.of(storage()));
        put(naive);
        drain(Stream.generate(() -> InlineWork.runner(naive.runtime, service(naive), 1, () -> {}))
                .limit(8)
                .toList());
        Receives ofOne = new Receives();
        WorkBench one = bench().process(ofOne.of(storage()));
        put(one);
        drain(List.of(InlineWork.runner(one.runtime, service(one), 8, () -> {})));

        assertThat(naive.itemsLeft()).isZero();
        assertThat(one.itemsLeft()).isZero();
        assertThat(ofNaive.count.get()).isBetween(ITEMS + 1, ITEMS + 8);
        assertThat(ofOne.count.get()).isBetween((ITEMS + 7) / 8 + 1, ITEMS / 4);
    }

    @Test
    @DisplayName("Q11: thirty-two slow handlers of one process run at the same time, out of one receive")
    default void q11_thirtyTwoSlowHandlersOverlap() throws Exception {
        Receives receives = new Receives();
        WorkBench bench = bench().process(receives.of(storage()));
        put(bench);
        ExecutorService handlers = Executors.newCachedThreadPool();
        CountDownLatch allAtOnce = new CountDownLatch(32);
        try {
            TextService slow = new TextService(bench.queue, text -> {
                allAtOnce.countDown();
                return awaited(allAtOnce) ? WorkResult.DONE : new WorkResult.Discard("alone");
            });
            QueueRunner<String> runner = InlineWork.runner(bench.onThreads(handlers), slow, 32, () -> {});
            assertThat(runner.runOnce()).isEqualTo(32);
            assertThat(runner.awaitIdle(Duration.ofSeconds(30))).isTrue();
        } finally {
            handlers.shutdownNow();
        }

        assertThat(allAtOnce.getCount()).isZero();
        assertThat(receives.count).hasValue(1);
        assertThat(bench.itemsLeft()).isEqualTo(ITEMS - 32);
    }

    @Test
    @DisplayName("K7: while a queue has items every worker is busy")
    default void k7_allWorkersAreBusyWhileAQueueHasItems() throws Exception {
        WorkBench bench = bench();
        put(bench);
        ExecutorService handlers = Executors.newCachedThreadPool();
        CountDownLatch allAtOnce = new CountDownLatch(4);
        TextService slow = new TextService(bench.queue, text -> {
            allAtOnce.countDown();
            return awaited(allAtOnce) ? WorkResult.DONE : new WorkResult.Discard("alone");
        });
        try {
            for (int worker = 0; worker < 4; worker++) {
                WorkRuntime process = bench.process(storage()).onThreads(handlers);
                assertThat(InlineWork.runner(process, slow, 1, () -> {}).runOnce())
                        .isEqualTo(1);
            }
            assertThat(awaited(allAtOnce)).isTrue();
        } finally {
            handlers.shutdown();
            assertThat(handlers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(bench.itemsLeft()).isEqualTo(ITEMS - 4);
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static SheetService service(WorkBench bench) {
        return new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);
    }

    private static void put(WorkBench bench) {
        IntStream.range(0, ITEMS).forEach(i -> bench.queues.put(new Sheet("sheet " + i)));
    }

    /** Runs the runners in turn until each finds no item. */
    private static void drain(List<QueueRunner<Sheet>> runners) {
        List<QueueRunner<Sheet>> busy = runners;
        while (!busy.isEmpty()) {
            busy = busy.stream().filter(runner -> runner.runOnce() > 0).toList();
        }
    }

    /** Counts the receives. */
    final class Receives implements EachCall {

        final AtomicInteger count = new AtomicInteger();

        @Override
        public Object around(Method method, Object[] arguments, Action call) throws Throwable {
            if (method.getName().equals("receive")) {
                count.incrementAndGet();
            }
            return call.done();
        }
    }
}
