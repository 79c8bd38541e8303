package org.azuremail.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that a copy with a fault at any storage call, in either storage, is continued by the next run. */
class CopyCrashIT {

    private static final int AT_LEAST = 25;

    private final ManualTime time = new ManualTime();

    @ParameterizedTest
    @EnumSource
    void noFaultAtAnyCallOfTheSourceLosesAnything(Faults.Mode mode) {
        int at = 1;
        while (copyWithAFault(new Faults(mode, at, () -> {}), Faults.none(), mode + " at " + at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(AT_LEAST);
    }

    @ParameterizedTest
    @EnumSource
    void noFaultAtAnyCallOfTheTargetLosesAnything(Faults.Mode mode) {
        int at = 1;
        while (copyWithAFault(Faults.none(), new Faults(mode, at, () -> {}), mode + " at " + at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(AT_LEAST);
    }

    @ParameterizedTest
    @EnumSource
    void noFaultAtAnyCallOfGivingUpLosesAnItem(Faults.Mode mode) {
        int at = 1;
        while (abandonWithAFault(new Faults(mode, at, () -> {}), mode + " at " + at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(5);
    }

    /** @return the number of calls to the storage with the fault */
    private long copyWithAFault(Faults ofSource, Faults ofTarget, String when) {
        SimulatedStorage source = filled();
        SimulatedStorage target = new SimulatedStorage(time);
        CopyEndpoint from = Ends.of("source", source);
        CopyEndpoint to = Ends.of("target", target);
        boolean finished = run(
                Ends.of("source", source, ofSource.around(source.storage())),
                Ends.of("target", target, ofTarget.around(target.storage())),
                0);
        for (int run = 1; run < 3 && !finished; run++) {
            time.advance(Duration.ofMinutes(2));
            finished = run(from, to, run);
        }
        assertThat(finished).as(when).isTrue();
        Filling.assertEqual(from, to);
        assertThat(Filling.items(target.queues(), "azuremailqueue"))
                .as(when)
                .contains("one", "two", "three")
                .hasSizeBetween(3, 4);
        assertThat(source.queues().approximateCount("azuremailqueue")).as(when).isZero();
        assertThat(new CopyMarks(from.storage()).read().departure())
                .as(when)
                .isNotNull()
                .satisfies(mark -> assertThat(mark.value().finished()).as(when).isTrue());
        return ofSource.calls() + ofTarget.calls();
    }

    @Test
    void blobsThatWereCopiedAreNotCopiedAgain() {
        SimulatedStorage source = new SimulatedStorage(time, 50);
        for (int i = 0; i < 130; i++) {
            new Filling(source.storage()).blob("azuremail-outbox", "b" + i, i);
        }
        SimulatedStorage target = new SimulatedStorage(time);
        target.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (target.calls(Call.Kind.PUT_BLOB) == 120) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "not done", null);
                }
            }
        });
        assertThat(run(Ends.of("source", source), Ends.of("target", target), 1)).isFalse();
        target.hook(CallHook.NONE);
        target.resetCounters();

        assertThat(run(Ends.of("source", source), Ends.of("target", target), 2)).isTrue();

        assertThat(target.calls(Call.Kind.PUT_BLOB)).isEqualTo(30);
        Filling.assertEqual(Ends.of("source", source), Ends.of("target", target));
    }

    private boolean run(CopyEndpoint from, CopyEndpoint to, int run) {
        try {
            CopyResult result = new StorageCopy(from, to, new SeededIds(run), time).run(CopyOptions.NONE);
            assertThat(result).as("what goes on misses nothing").isNotInstanceOf(CopyResult.Different.class);
            return result instanceof CopyResult.Finished;
        } catch (ProcessDied | StorageException goesOn) {
            return false;
        }
    }

    private long abandonWithAFault(Faults faults, String when) {
        SimulatedStorage source = filled();
        SimulatedStorage target = new SimulatedStorage(time);
        source.queues().send("azuremailtestqueue", "later", Duration.ofMinutes(10));
        assertThat(run(Ends.of("source", source), Ends.of("target", target), 0)).isFalse();
        boolean abandoned = abandon(
                Ends.of("source", source, faults.around(source.storage())),
                Ends.of("target", target, faults.around(target.storage())));
        faults.disarm();
        for (int run = 0; run < 3 && !abandoned; run++) {
            time.advance(Duration.ofMinutes(2));
            abandoned = abandon(Ends.of("source", source), Ends.of("target", target))
                    || source.storage().tables().get("work", "copy", "!to").isEmpty();
        }
        assertThat(abandoned).as(when).isTrue();
        assertThat(Filling.items(source.queues(), "azuremailqueue"))
                .as(when)
                .contains("one", "two", "three")
                .hasSizeBetween(3, 4);
        new CopyMarks(source.storage()).start(time);
        return faults.calls();
    }

    private boolean abandon(CopyEndpoint from, CopyEndpoint to) {
        try {
            return new StorageCopy(from, to, new SeededIds(9), time).abandon(CopyOptions.NONE)
                    instanceof CopyResult.Abandoned;
        } catch (ProcessDied | StorageException goesOn) {
            return false;
        }
    }

    private SimulatedStorage filled() {
        SimulatedStorage source = new SimulatedStorage(time, 9);
        new Filling(source.storage()).little();
        return source;
    }
}
