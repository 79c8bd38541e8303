package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks that no item is lost or charged when the storage, its queue or a thread is out of reach. */
class QueueOutageTest {

    private final Workshop shop = new Workshop();

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
}
