package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks how many items are taken, and the fate of each. */
class QueueRunnerTest {

    private final Workshop shop = new Workshop();

    @Test
    @DisplayName("K2: a normal return deletes the item")
    void k2_doneDeletes() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);

        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isEqualTo(1);

        assertThat(service.begun).containsExactly("a");
        assertThat(shop.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("K2: a discarded item is deleted, and is no dead letter")
    void k2_discardDeletes() {
        shop.queues.put(new Sheet("a"));

        InlineWork.runner(shop.runtime, SheetService.thatAnswers(new WorkResult.Discard("pointless")))
                .runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K2, A56: retry-after shows the item after the delay, a hundred times, and counts nothing")
    void k2_retryAfterIsNobodysFault() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatAnswers(new WorkResult.RetryAfter(Duration.ofMinutes(5)));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);

        for (int i = 0; i < 100; i++) {
            assertThat(runner.runOnce()).isEqualTo(1);
            shop.time.advance(Duration.ofSeconds(299));
            assertThat(runner.runOnce()).isZero();
            shop.time.advance(Duration.ofSeconds(1));
        }

        assertThat(service.begun).hasSize(100);
        assertThat(shop.triesRows()).isZero();
        assertThat(shop.deadLetterPage()).isEmpty();
    }

    @Test
    @DisplayName("K2, L-2: a throw keeps the item; it comes again after 1, 4, 16 and 60 seconds")
    void l2_aThrowKeepsTheItem() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);

        runner.runOnce();
        for (long rest : List.of(1, 4, 16, 60)) {
            shop.time.advance(Duration.ofSeconds(rest).minusMillis(1));
            assertThat(runner.runOnce()).isZero();
            shop.time.advance(Duration.ofMillis(1));
            assertThat(runner.runOnce()).isEqualTo(1);
        }

        assertThat(service.begun).hasSize(5);
    }

    @Test
    @DisplayName("A56: nothing is written for work that goes well, and a mended item's failures are forgotten")
    void failuresAreWrittenOnAThrowOnly() {
        shop.queues.put(new Sheet("a"));
        List<String> begun = new ArrayList<>();
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, new SheetService((sheet, delivery) -> {
            begun.add(sheet.text());
            if (begun.size() == 1) {
                throw new IllegalStateException("once");
            }
            return WorkResult.DONE;
        }));

        runner.runOnce();
        assertThat(shop.triesRows()).isEqualTo(1);
        shop.time.advance(Duration.ofSeconds(1));
        runner.runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.triesRows()).isZero();

        shop.storage.resetCounters();
        shop.queues.put(new Sheet("b"));
        runner.runOnce();
        assertThat(shop.storage.calls(Call.Kind.WRITE)).isZero();
        assertThat(shop.storage.calls(Call.Kind.GET)).isZero();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anItemWhoseEndMeetsAnOutageIsOneLineOfTheLog(CapturedOutput output) {
        shop.queues.put(new Sheet("a"));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, new SheetService((sheet, delivery) -> {
            shop.storage.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "ConnectException", null);
                }
            });
            return WorkResult.DONE;
        }));

        runner.runOnce();

        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("its end could not be stored"))
                .singleElement()
                .asString()
                .contains("ConnectException (UNAVAILABLE)");
        assertThat(output).doesNotContain("\tat ");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void itemsWhoseQueueSomebodyDeletesAreOneLineOfTheLog(CapturedOutput output) {
        SheetService service = new SheetService((sheet, delivery) -> {
            shop.storage.deleteQueue(Sheet.TYPE.queue());
            return WorkResult.DONE;
        });

        handleFive(service);

        assertThat(service.begun).hasSize(5);
        assertThat(warnings(output)).singleElement().asString().contains("could not be stored", "there is no queue");
        assertThat(output).doesNotContain("\tat ");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void itemsThatNeedATableThatSomebodyDeletedWaitAndAreOneLineAMinute(CapturedOutput output) {
        SheetService service = SheetService.thatThrows(
                new StorageException(StorageException.Reason.MISSING, "get message: somebody deleted it", null));
        QueueRunner<Sheet> runner = handleFive(service);
        assertThat(warnings(output)).singleElement().asString().contains("waits", "somebody deleted it");

        for (int minute = 2; minute <= 9; minute++) {
            shop.time.advance(Duration.ofMinutes(1));
            runner.runOnce();

            assertThat(service.begun).as("nothing is a dead letter").hasSize(5 * minute);
            assertThat(warnings(output)).hasSize(minute);
        }
    }

    private QueueRunner<Sheet> handleFive(SheetService service) {
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service, 5, () -> {});
        for (int i = 0; i < 5; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        assertThat(runner.runOnce()).isEqualTo(5);
        return runner;
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getAll().lines().filter(line -> line.contains(" WARN ")).toList();
    }

    @Test
    void aQueueThatSomebodyDeletesIsCreatedAgain() {
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);
        runner.runOnce();
        shop.storage.deleteQueue(Sheet.TYPE.queue());

        assertThatExceptionOfType(StorageException.class).isThrownBy(runner::runOnce);
        assertThat(runner.runOnce()).isZero();

        shop.queues.put(new Sheet("a"));
        assertThat(runner.runOnce()).isEqualTo(1);
        assertThat(service.begun).containsExactly("a");
    }

    @Test
    void itemsThatWereTakenAreHandledAlthoughTheRestCannotBeCounted() {
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        QueueRunner<Sheet> runner = new QueueRunner<>(shop.runtime, List.of(service), 1, 4, () -> {}, () -> 0.5);
        shop.queues.put(new Sheet("a"));
        runner.runOnce();
        shop.queues.put(new Sheet("b"));
        shop.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.COUNT) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "ConnectException", null);
                }
            }
        });

        assertThat(runner.runOnce()).isEqualTo(1);

        assertThat(service.begun).containsExactly("a", "b");
    }

    @Test
    @DisplayName("E-22: storage that is out of reach in a handler charges nothing, however long")
    void storageOutagesChargeNothing() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatThrows(
                new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);

        for (int i = 0; i < 20; i++) {
            runner.runOnce();
            shop.time.advance(Duration.ofSeconds(10));
        }

        assertThat(service.begun).hasSize(20);
        assertThat(shop.triesRows()).isZero();
    }

    /** The handler has ended, so no process keeps the item hidden. */
    @Test
    void anItemWhoseFailureCannotBeStoredComesAgain() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatThrows(new IllegalStateException("broken"));
        QueueRunner<Sheet> runner = InlineWork.runner(shop.runtime, service);
        shop.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });
        runner.runOnce();

        assertThat(afterItsVisibility(runner, shop.runtime)).isEqualTo(1);
    }

    /** The payload is kept as long as a row records that the item waits. The first such record met an outage. */
    @Test
    void aLargeItemThatIsPutOffForDaysStaysWhole() {
        Sheet large = new Sheet("x".repeat(100_000));
        shop.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
                }
            }
        });
        shop.queues.put(large);
        shop.storage.hook(CallHook.NONE);
        InlineWork.runner(shop.runtime, SheetService.thatAnswers(new WorkResult.RetryAfter(Duration.ofDays(6))))
                .runOnce();

        shop.time.advance(PayloadSweep.ORPHAN_AFTER.plusDays(1));
        new PayloadSweep(shop.storage.storage(), shop.deadLetters, shop.time, shop.runtime.metrics()).run();

        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        InlineWork.runner(shop.runtime, service).runOnce();
        assertThat(service.begun).containsExactly(large.text());
    }

    @Test
    void anItemThatFindsNoThreadTakesNoPlaceAndComesAgain() {
        WorkBench bench = new WorkBench(shop.storage.storage(), shop.time);
        boolean[] full = {true};
        WorkRuntime runtime = bench.onThreads(task -> {
            if (full[0]) {
                throw new RejectedExecutionException("no thread is free");
            }
            task.run();
        });
        QueueRunner<Sheet> runner = InlineWork.runner(
                runtime, new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type), 1, () -> {});
        bench.queues.put(new Sheet("a"));
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(runner::runOnce);
        full[0] = false;

        assertThat(afterItsVisibility(runner, runtime)).isEqualTo(1);
        assertThat(bench.itemsLeft()).isZero();
    }

    private int afterItsVisibility(QueueRunner<Sheet> runner, WorkRuntime runtime) {
        for (int second = 0; second < SheetService.VISIBILITY.toSeconds(); second++) {
            shop.time.advance(Duration.ofSeconds(1));
            runtime.renewals().runOnce();
        }
        return runner.runOnce();
    }

    @Test
    void placesFollowTheTimeThatTheWaitingItemsTakeAndAreCountedOnceAMinute() {
        SheetService service = new SheetService((sheet, delivery) -> {
            shop.time.advance(Duration.ofSeconds(15));
            return WorkResult.DONE;
        });
        QueueRunner<Sheet> runner = new QueueRunner<>(shop.runtime, List.of(service), 1, 40, () -> {}, () -> 0.5);
        for (int i = 0; i < 101; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }

        runner.runOnce();
        assertThat(runner.free()).as("nobody knows yet how long an item takes").isEqualTo(2);
        runner.runOnce();
        assertThat(runner.free())
                .as("100 items of 15 seconds within five minutes")
                .isEqualTo(5);
        shop.storage.resetCounters();
        runner.runOnce();
        assertThat(shop.storage.calls(Call.Kind.COUNT)).isZero();

        while (shop.itemsLeft() > 0) {
            runner.runOnce();
        }
        int before = runner.free();
        runner.runOnce();
        assertThat(runner.free()).as("after a look that found nothing").isEqualTo(Math.max(1, before / 2));
    }

    @Test
    void aHandlerThatReturnsNothingHasFailed() {
        shop.queues.put(new Sheet("a"));

        InlineWork.runner(shop.runtime, SheetService.thatAnswers(nothing())).runOnce();

        assertThat(shop.itemsLeft()).isEqualTo(1);
        assertThat(shop.triesRows()).isEqualTo(1);
    }

    @SuppressWarnings("NullAway")
    private static WorkResult nothing() {
        return null;
    }

    @Test
    void asManyItemsAreTakenAsMayRunAtOnce() {
        for (int i = 0; i < 10; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);

        assertThat(InlineWork.runner(shop.runtime, service, 4, () -> {}).runOnce())
                .isEqualTo(4);
        assertThat(shop.itemsLeft()).isEqualTo(6);
    }

    @Test
    @DisplayName("Q10: one call takes up to 32 items")
    void oneCallTakesUpTo32() {
        for (int i = 0; i < 64; i++) {
            shop.queues.put(new Sheet("sheet " + i));
        }
        QueueRunner<Sheet> runner =
                InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE), 100, () -> {});
        shop.storage.resetCounters();

        runner.runOnce();
        runner.runOnce();

        assertThat(shop.itemsLeft()).isZero();
        assertThat(shop.storage.calls(Call.Kind.RECEIVE)).isEqualTo(2);
    }

    @Test
    void nothingIsTakenOnceTheProcessStops() {
        shop.queues.put(new Sheet("a"));
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        shop.stopFlag.request();

        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isZero();
        assertThat(shop.isVisible("a")).isTrue();
    }

    @Test
    void itemsFoundAfterAnUpgradeOfTheStorageAreLeftToTheNewerProgram() {
        Leases gated = new Leases(
                shop.storage.storage(),
                shop.time,
                Holders.anywhere(new SeededIds(1)),
                Duration.ZERO,
                atMostOld -> atMostOld.compareTo(StoreGate.BUSY) > 0);
        WorkRuntime older =
                InlineWork.runtime(shop.storage.storage(), shop.deadLetters, gated, shop.time, shop.stopFlag);
        SheetService service = SheetService.thatAnswers(WorkResult.DONE);
        shop.queues.put(new Sheet("a"));

        assertThat(InlineWork.runner(older, service).runOnce()).isZero();

        assertThat(service.begun).isEmpty();
        shop.time.advance(service.visibility());
        assertThat(InlineWork.runner(shop.runtime, service).runOnce()).isEqualTo(1);
        assertThat(service.begun).containsExactly("a");
    }

    @Test
    @DisplayName("K3: the queue is made when the first runner looks")
    void k3_theQueueIsMade() {
        assertThat(InlineWork.runner(shop.runtime, SheetService.thatAnswers(WorkResult.DONE))
                        .runOnce())
                .isZero();
        assertThat(shop.itemsLeft()).isZero();
    }
}
