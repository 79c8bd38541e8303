package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks a large item with a fault at each storage call, from its producer to its end. */
class OverflowCrashIT {

    private static final String LARGE = "large ".repeat(20_000);
    private static final int AT_LEAST = 7;

    private int handled;

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "K4, L-4, I6: whatever goes wrong at whatever call, a stored item is handled and nothing is left behind")
    void l4_k4_noFaultAtAnyCallLosesAnItemOrLeavesItsBlob(Faults.Mode mode) {
        int at = 1;
        while (lifeWithAFault(mode, at, WorkResult.DONE) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(AT_LEAST);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("K12, L-4: a large dead letter is restored whole, also if any call goes wrong")
    void l4_k12_noFaultAtAnyCallLosesALargeDeadLetter(Faults.Mode mode) {
        int at = 1;
        while (restoringWithAFault(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(AT_LEAST);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "K12, L-4: whatever goes wrong at whatever call, a large item becomes one dead letter with all its text")
    void l4_k12_noFaultAtAnyCallLosesTheTextOfADeadLetter(Faults.Mode mode) {
        int at = 1;
        while (dyingWithAFault(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(AT_LEAST);
    }

    private long dyingWithAFault(Faults.Mode mode, int at) {
        String when = mode + " at " + at;
        WorkBench bench = newBench();
        assertThat(put(bench)).isTrue();
        Faults faults = new Faults(mode, at, () -> {});
        WorkBench process = bench.process(faults.around(bench.storage));
        for (int turn = 0; turn < 6; turn++) {
            try {
                InlineWork.runner(process.runtime, unreadable(bench)).runOnce();
            } catch (ProcessDied death) {
                process = bench.process(bench.storage);
            } catch (StorageException goesOn) {
                assertThat(goesOn.retryable()).isTrue();
            }
            ((ManualTime) bench.time).advance(SheetService.VISIBILITY);
        }

        assertThat(bench.itemsLeft()).as(when).isZero();
        assertThat(bench.deadLetterPage()).as(when).singleElement().satisfies(letter -> assertThat(
                        bench.deadLetters.text(letter.id()))
                .contains(bench.type.write(new Sheet(LARGE))));
        return faults.calls();
    }

    private static SheetService unreadable(WorkBench bench) {
        return new SheetService(
                (sheet, delivery) -> WorkResult.DONE, new ItemType<>(bench.queue, Sheet.class, Sheet::text, text -> {
                    throw new IllegalArgumentException("not today");
                }));
    }

    private long lifeWithAFault(Faults.Mode mode, int at, WorkResult result) {
        WorkBench bench = newBench();
        Faults faults = new Faults(mode, at, () -> {});
        handled = 0;
        boolean stored = put(bench.process(faults.around(bench.storage)));
        workOff(bench, faults, result);

        assertThat(handled).as("%s at %d", mode, at).isBetween(stored ? 1 : 0, 2);
        assertNothingIsLeft(bench, mode + " at " + at);
        return faults.calls();
    }

    private long restoringWithAFault(Faults.Mode mode, int at) {
        WorkBench bench = newBench();
        assertThat(put(bench)).isTrue();
        InlineWork.runner(bench.runtime, unreadable(bench)).runOnce();
        Faults faults = new Faults(mode, at, () -> {});
        handled = 0;
        restore(bench.process(faults.around(bench.storage)), bench);
        restore(bench, bench);
        workOff(bench, faults, WorkResult.DONE);

        assertThat(handled).as("%s at %d", mode, at).isBetween(1, 2);
        assertNothingIsLeft(bench, mode + " at " + at);
        assertThat(bench.deadPayloadBlobs()).isEmpty();
        return faults.calls();
    }

    private static WorkBench newBench() {
        ManualTime time = new ManualTime();
        return new WorkBench(new SimulatedStorage(time).storage(), time);
    }

    /** @return whether the put was acknowledged; after a failure, the caller tries once more */
    private static boolean put(WorkBench process) {
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                process.queues.put(new Sheet(LARGE));
                return true;
            } catch (ProcessDied death) {
                return false;
            } catch (StorageException again) {
                assertThat(again.retryable()).isTrue();
            }
        }
        return false;
    }

    private static void restore(WorkBench process, WorkBench bench) {
        for (DeadLetter letter : bench.deadLetterPage()) {
            try {
                process.deadLetters.restore(letter.id(), queue -> queue);
            } catch (ProcessDied | StorageException goesOn) {
                assertThat(goesOn).isNotNull();
            }
        }
    }

    private void workOff(WorkBench bench, Faults faults, WorkResult result) {
        WorkBench process = bench.process(faults.around(bench.storage));
        for (int turn = 0; turn < 6; turn++) {
            try {
                process.runner((sheet, delivery) -> {
                            assertThat(sheet.text()).isEqualTo(LARGE);
                            handled++;
                            return result;
                        })
                        .runOnce();
            } catch (ProcessDied death) {
                process = bench.process(bench.storage);
            } catch (StorageException goesOn) {
                assertThat(goesOn.retryable()).isTrue();
            }
            ((ManualTime) bench.time).advance(SheetService.VISIBILITY);
        }
        faults.disarm();
    }

    private static void assertNothingIsLeft(WorkBench bench, String when) {
        assertThat(bench.itemsLeft()).as(when).isZero();
        assertThat(bench.deadLetterPage()).as(when).isEmpty();
        ManualTime then = ManualTime.at(bench.time.instant().plus(Duration.ofDays(8)));
        new PayloadSweep(bench.storage, bench.deadLetters, then, new WorkMetrics(new SimpleMeterRegistry())).run();
        assertThat(bench.payloadBlobs()).as(when).isEmpty();
    }
}
