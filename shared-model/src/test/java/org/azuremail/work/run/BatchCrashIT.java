package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks the cost of batches, and their fate when any storage call goes wrong. */
class BatchCrashIT {

    private static final int ITEMS = 120;

    private final Map<String, Integer> handled = new HashMap<>();

    @Test
    @DisplayName("Q16: a thousand items cost one send, one receive and few writes")
    void q16_aThousandItemsCostFewCalls() {
        ManualTime time = new ManualTime();
        SimulatedStorage storage = new SimulatedStorage(time);
        WorkBench bench = new WorkBench(storage.storage(), time);
        bench.queues.putAll(BatchContract.sheets(1000));
        bench.runner((sheet, delivery) -> WorkResult.DONE).runOnce();

        assertThat(storage.calls(Call.Kind.SEND)).isEqualTo(1);
        assertThat(storage.calls(Call.Kind.RECEIVE)).isEqualTo(1);
        assertThat(storage.calls(Call.Kind.PUT_BLOB)).isEqualTo(1);
        assertThat(storage.calls(Call.Kind.WRITE)).isLessThanOrEqualTo(1000 / BatchHandling.SAVE_AFTER_ITEMS + 2);
        assertThat(storage.calls()).isLessThan(40);
    }

    @Test
    @DisplayName("Q16, K8: while a batch is handled for long, nobody else gets it, and its progress is noted")
    void q16_aLongBatchStaysHidden() {
        ManualTime time = new ManualTime();
        SimulatedStorage storage = new SimulatedStorage(time);
        WorkBench bench = new WorkBench(storage.storage(), time);
        bench.queues.putAll(BatchContract.sheets(40));
        SheetService other = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);
        QueueRunner<Sheet> otherProcess = InlineWork.runner(bench.process(bench.storage).runtime, other);

        bench.runner((sheet, delivery) -> {
                    time.advance(Duration.ofSeconds(20));
                    bench.runtime.renewals().runOnce();
                    otherProcess.runOnce();
                    return WorkResult.DONE;
                })
                .runOnce();

        assertThat(other.begun).isEmpty();
        assertThat(bench.itemsLeft()).isZero();
        assertThat(storage.calls(Call.Kind.WRITE))
                .as("one each item that takes so long")
                .isGreaterThan(38);
    }

    @Test
    @DisplayName("Q16, K12: an item of a batch that fails again and again becomes one dead letter")
    void q16_aFailingItemBecomesOneDeadLetter() {
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        bench.queues.putAll(BatchContract.sheets(10));
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            handled.merge(sheet.text(), 1, Integer::sum);
            if (sheet.text().equals("sheet 4")) {
                throw new IllegalStateException("broken");
            }
            return WorkResult.DONE;
        });
        for (int i = 0; i < 10; i++) {
            runner.runOnce();
            time.advance(Duration.ofMinutes(1));
        }

        assertThat(handled).hasSize(10).containsEntry("sheet 4", 1 + RetryPolicy.MAX_FAILURES);
        assertThat(handled.values().stream().filter(times -> times == 1)).hasSize(9);
        assertThat(bench.deadLetterPage())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).asString().contains("broken"));
        assertThat(bench.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("Q16, E-22: after an outage a batch goes on where it stopped, and nothing is charged")
    void q16_e22_aBatchWaitsForTheStorage() {
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        bench.queues.putAll(BatchContract.sheets(20));
        boolean[] away = {true};
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            handled.merge(sheet.text(), 1, Integer::sum);
            if (away[0] && sheet.text().equals("sheet 7")) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
            }
            return WorkResult.DONE;
        });

        runner.runOnce();
        assertThat(handled).hasSize(8);
        assertThat(bench.itemsLeft()).isEqualTo(1);
        away[0] = false;
        time.advance(Duration.ofSeconds(9));
        assertThat(runner.runOnce()).isZero();
        time.advance(Duration.ofSeconds(1));
        runner.runOnce();

        assertThat(handled).hasSize(20);
        assertThat(handled.values()).as("item 7 twice, the others once").containsOnlyOnce(2);
        assertThat(bench.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("Q-9, L-3: an item of a batch that throws during a stop is not charged")
    void q9_l3_aThrowDuringAStopChargesNothing() {
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        bench.queues.putAll(BatchContract.sheets(20));
        WorkBench stopping = bench.process(bench.storage);
        stopping.runner((sheet, delivery) -> {
                    handled.merge(sheet.text(), 1, Integer::sum);
                    if (sheet.text().equals("sheet 7")) {
                        stopping.stopFlag.request();
                        throw new IllegalStateException("my pool is closed");
                    }
                    return WorkResult.DONE;
                })
                .runOnce();
        assertThat(bench.itemsLeft()).as("item 7 does not go on alone").isEqualTo(1);

        bench.runner((sheet, delivery) -> {
                    handled.merge(sheet.text(), 1, Integer::sum);
                    return WorkResult.DONE;
                })
                .runOnce();

        assertThat(handled).hasSize(20);
        assertThat(handled.values()).as("item 7 twice, the others once").containsOnlyOnce(2);
        assertThat(bench.itemsLeft()).isZero();
    }

    /** The producer records a waiting batch after it has put it, when a consumer may already have begun it. */
    @Test
    void aLateNoteOfTheProducerDoesNotTakeABatchFromItsConsumer() {
        ManualTime time = new ManualTime();
        SimulatedStorage storage = new SimulatedStorage(time);
        WorkBench bench = new WorkBench(storage.storage(), time);
        atTheNextWrite(storage, () -> {
            throw new StorageException(StorageException.Reason.UNAVAILABLE, "out of reach", null);
        });
        bench.queues.putAll(BatchContract.sheets(ITEMS));
        String pointer = bench.textsInQueue().get(0);
        atTheNextWrite(storage, () -> bench.payloads.markWaiting(bench.queue, pointer));

        bench.runner((sheet, delivery) -> {
                    handled.merge(sheet.text(), 1, Integer::sum);
                    return WorkResult.DONE;
                })
                .runOnce();

        assertThat(handled).hasSize(ITEMS);
        assertThat(handled.values()).containsOnly(1);
        assertThat(bench.itemsLeft()).isZero();
        assertThat(bench.payloadBlobs()).isEmpty();
    }

    private static void atTheNextWrite(SimulatedStorage storage, Runnable meanwhile) {
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    meanwhile.run();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "Q-9, Q16, I6: whatever goes wrong at whatever call, every item is handled, few twice, and nothing is left")
    void q9_q16_noFaultAtAnyCallLosesAnItem(Faults.Mode mode) {
        int at = 1;
        while (lifeWithAFault(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(8);
    }

    private long lifeWithAFault(Faults.Mode mode, int at) {
        String when = mode + " at " + at;
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        Faults faults = new Faults(mode, at, () -> {});
        handled.clear();
        int puts = put(bench.process(faults.around(bench.storage)));
        long callsOfPut = faults.calls();
        workOff(bench, faults, time);

        if (puts > 0) {
            assertThat(handled.keySet()).as(when).hasSize(ITEMS);
        }
        int times = handled.values().stream().mapToInt(Integer::intValue).sum();
        boolean oneBatch = at > callsOfPut;
        assertThat(times).as(when).isLessThanOrEqualTo(oneBatch ? ITEMS + BatchHandling.SAVE_AFTER_ITEMS : 2 * ITEMS);
        assertThat(bench.itemsLeft()).as(when).isZero();
        assertThat(bench.deadLetterPage()).as(when).isEmpty();
        ManualTime then = ManualTime.at(time.instant().plus(Duration.ofDays(8)));
        new PayloadSweep(bench.storage, bench.deadLetters, then, new WorkMetrics(new SimpleMeterRegistry())).run();
        assertThat(bench.payloadBlobs()).as(when).isEmpty();
        return faults.calls();
    }

    /** @return the number of acknowledged puts; after a failure, the caller tries once more */
    private static int put(WorkBench process) {
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                process.queues.putAll(BatchContract.sheets(ITEMS));
                return 1;
            } catch (ProcessDied death) {
                return 0;
            } catch (StorageException again) {
                assertThat(again.retryable()).isTrue();
            }
        }
        return 0;
    }

    private void workOff(WorkBench bench, Faults faults, ManualTime time) {
        WorkBench process = bench.process(faults.around(bench.storage));
        for (int turn = 0; turn < 6; turn++) {
            try {
                process.runner((sheet, delivery) -> {
                            handled.merge(sheet.text(), 1, Integer::sum);
                            return WorkResult.DONE;
                        })
                        .runOnce();
            } catch (ProcessDied death) {
                process = bench.process(bench.storage);
            } catch (StorageException goesOn) {
                assertThat(goesOn.retryable()).isTrue();
            }
            time.advance(SheetService.VISIBILITY);
        }
        faults.disarm();
    }
}
