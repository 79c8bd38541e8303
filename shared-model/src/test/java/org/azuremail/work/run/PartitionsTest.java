package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageLimits;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionsTest {

    private static final int ITEMS = 6;

    private final Set<String> handled = new HashSet<>();

    @Test
    @DisplayName("Q15: partitions of any queue have names that storage takes, all of them different")
    void q15_namesAreWithinTheLimits() {
        String longest = "a-queue-of-a-class-with-a-name-that-is-as-long-as-storage-takes";
        assertThat(longest).hasSize(63);
        Set<String> names = new HashSet<>();
        for (String queue : List.of("abc", longest, longest.substring(0, 60) + "xyz", longest.substring(0, 59))) {
            assertThat(Partitions.name(queue, 0)).isEqualTo(queue);
            for (int i = 0; i < Partitions.MAX; i++) {
                String name = Partitions.name(queue, i);
                assertThat(StorageLimits.requireQueue(name)).isEqualTo(name);
                assertThat(names.add(name)).as(name).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"8, 4", "4, 8"})
    @DisplayName(
            "Q15: of two processes with different settings that begin at once, the one with more partitions counts")
    void q15_theHighestNumberCounts(int first, int second) {
        ManualTime time = new ManualTime();
        SimulatedStorage storage = new SimulatedStorage(time);
        WorkBench bench = new WorkBench(storage.storage(), time);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    storage.hook(CallHook.NONE);
                    bench.withPartitions(first).queues.put(new Sheet("first"));
                }
            }
        });

        bench.withPartitions(second).queues.put(new Sheet("second"));

        assertThat(bench.withPartitions(1).queues.partitions().toRead(bench.queue))
                .hasSize(8);
    }

    @Test
    @DisplayName("Q15: partitions that a process goes on sending to for days are not taken back")
    void q15_partitionsInUseAreKept() {
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        WorkBench producer = bench.withPartitions(4);
        WorkBench consumer = bench.withPartitions(1);
        for (int hour = 0; hour < 60; hour++) {
            producer.queues.put(new Sheet("sheet " + hour));
            time.advance(Duration.ofHours(1));
            consumer.runner((sheet, delivery) -> WorkResult.DONE).runOnce();
            consumer.queues.partitions().forgetUnused(consumer.queues::isPartitionEmpty);
        }

        assertThat(bench.withPartitions(1).queues.partitions().toRead(bench.queue))
                .hasSize(4);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("Q15, Q-8, I6: a fault at any call strands no item in a partition")
    void q15_q8_noFaultAtAnyCallStrandsAnItem(Faults.Mode mode) {
        int at = 1;
        while (sendAndDrain(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(2 * ITEMS);
    }

    private long sendAndDrain(Faults.Mode mode, int at) {
        ManualTime time = new ManualTime();
        WorkBench bench = new WorkBench(new SimulatedStorage(time).storage(), time);
        Faults faults = new Faults(mode, at, () -> {});
        Set<String> stored = new HashSet<>();
        handled.clear();

        WorkBench producer = bench.withPartitions(faults.around(bench.storage), 3);
        for (int i = 0; i < ITEMS; i++) {
            String text = "sheet " + i;
            try {
                producer.queues.put(new Sheet(text));
                stored.add(text);
            } catch (ProcessDied death) {
                producer = bench.withPartitions(3);
            } catch (StorageException nobodyKnows) {
                assertThat(nobodyKnows.retryable()).isTrue();
            }
        }
        drain(bench, faults, time);

        assertThat(handled).as("%s at %d", mode, at).containsAll(stored);
        assertThat(stored).hasSizeGreaterThanOrEqualTo(ITEMS - 1);
        assertThat(bench.itemsByPartition(3)).as("%s at %d", mode, at).containsOnly(0L);
        assertThat(bench.deadLetterPage()).as("%s at %d", mode, at).isEmpty();
        return faults.calls();
    }

    /** Drains the queue with other settings than the producer's. */
    private void drain(WorkBench bench, Faults faults, ManualTime time) {
        WorkBench consumer = bench.withPartitions(faults.around(bench.storage), 1);
        for (int turn = 0; turn < 20; turn++) {
            try {
                consumer.runner((sheet, delivery) -> {
                            handled.add(sheet.text());
                            return WorkResult.DONE;
                        })
                        .runOnce();
            } catch (ProcessDied death) {
                consumer = bench.withPartitions(1);
            } catch (StorageException goesOn) {
                assertThat(goesOn.retryable()).isTrue();
            }
            time.advance(SheetService.VISIBILITY);
        }
        faults.disarm();
    }
}
