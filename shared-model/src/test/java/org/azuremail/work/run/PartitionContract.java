package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.storage.StorageException;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.Unreachable;
import org.azuremail.work.WorkContract;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.service.WorkResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of a queue that consists of several queues of the storage. */
public interface PartitionContract extends WorkContract {

    @Test
    @DisplayName("Q15: items spread evenly over the partitions, and each is handled once, from wherever it came")
    default void q15_itemsSpreadAndAllAreHandled() {
        WorkBench bench = bench().withPartitions(4);
        put(bench, 200);
        assertThat(bench.itemsByPartition(4))
                .allSatisfy(items -> assertThat(items).isBetween(20L, 80L));

        List<String> handled = drain(bench);

        assertThat(handled).hasSize(200).doesNotHaveDuplicates();
        assertThat(bench.itemsByPartition(4)).containsOnly(0L);
    }

    @Test
    @DisplayName("Q15: an item that is handed back shows again where it was, and is deleted there")
    default void q15_anItemStaysInItsPartition() {
        WorkBench bench = bench().withPartitions(3);
        put(bench, 12);
        List<Long> before = bench.itemsByPartition(3);
        QueueRunner<Sheet> back = bench.runner((sheet, delivery) -> new WorkResult.RetryAfter(Duration.ZERO));
        for (int i = 0; i < 12; i++) {
            back.runOnce();
        }
        assertThat(bench.itemsByPartition(3)).isEqualTo(before);

        assertThat(drain(bench)).hasSize(12);
        assertThat(bench.itemsByPartition(3)).containsOnly(0L);
    }

    @Test
    @DisplayName("Q15: with fewer partitions than before, what waits in the others is handled all the same")
    default void q15_fewerPartitionsStrandNothing() {
        WorkBench bench = bench();
        put(bench.withPartitions(4), 40);

        assertThat(drain(bench.withPartitions(1))).hasSize(40);
        assertThat(drain(bench.withPartitions(2))).isEmpty();
    }

    @Test
    @DisplayName("Q15: a consumer that runs already notices partitions that are new within an hour")
    default void q15_morePartitionsStrandNothing() {
        WorkBench bench = bench();
        ManualTime clock = ManualTime.at(time().instant());
        WorkBench old = bench.process(clock);
        QueueRunner<Sheet> running = old.runner((sheet, delivery) -> WorkResult.DONE);
        running.runOnce();
        put(bench.withPartitions(4), 40);

        clock.advance(Partitions.REFRESH_INTERVAL);
        while (running.runOnce() > 0) {
            assertThat(bench.itemsByPartition(4)).isNotNull();
        }

        assertThat(bench.itemsByPartition(4)).containsOnly(0L);
    }

    @Test
    @DisplayName("Q15: partitions out of use are read until they are empty and a day has passed, and no longer")
    default void q15_unusedPartitionsAreTakenBackWhenEmpty() {
        WorkBench bench = bench();
        put(bench.withPartitions(4), 40);
        WorkBench one = bench.withPartitions(1);

        one.process(later(Duration.ofDays(2))).queues.partitions().forgetUnused(one.queues::isPartitionEmpty);
        assertThat(one.queues.partitions().toRead(bench.queue)).as("not empty").hasSize(4);
        drain(one);
        one.process(later(Duration.ofHours(23))).queues.partitions().forgetUnused(one.queues::isPartitionEmpty);
        assertThat(bench.withPartitions(1).queues.partitions().toRead(bench.queue))
                .as("used today")
                .hasSize(4);

        one.process(later(Duration.ofDays(2))).queues.partitions().forgetUnused(one.queues::isPartitionEmpty);
        assertThat(bench.withPartitions(1).queues.partitions().toRead(bench.queue))
                .containsExactly(bench.queue);
        put(bench.withPartitions(4), 40);
        assertThat(drain(bench.withPartitions(1))).as("in use again").hasSize(40);
    }

    @Test
    @DisplayName("Q-8: while one partition is out of reach, the others go on and take what is sent")
    default void q8_oneUnreachablePartitionStopsNothing() {
        WorkBench bench = bench();
        put(bench.withPartitions(3), 60);
        long before = bench.itemsByPartition(3).get(1);
        Unreachable broken = new Unreachable(storage(), Partitions.name(bench.queue, 1));
        WorkBench process = bench.withPartitions(broken.storage(), 3);

        put(process, 30, 60);
        assertThat(bench.itemsByPartition(3).get(1)).as("nothing came in").isEqualTo(before);
        Set<String> handled = new HashSet<>();
        drainInto(process, handled);
        assertThat(handled).hasSize(90 - (int) before);

        broken.repair();
        drainInto(process, handled);
        assertThat(handled).hasSize(90);
        assertThat(bench.itemsByPartition(3)).containsOnly(0L);
    }

    @Test
    @DisplayName("Q-8: when every partition is out of reach the producer is told")
    default void q8_anItemThatCannotBeSentAnywhereIsRefused() {
        WorkBench bench = bench();
        WorkBench process = bench.withPartitions(new Unreachable(storage(), bench.queue).storage(), 1);

        assertThatThrownBy(() -> process.queues.put(new Sheet("lost?"))).isInstanceOf(StorageException.class);
    }

    @Test
    @DisplayName("Q15, K12: a dead letter of any partition names the queue, and is restored")
    default void q15_deadLettersAreRestored() {
        WorkBench bench = bench().withPartitions(4);
        for (int i = 0; i < 4; i++) {
            storage().queues().createQueue(Partitions.name(bench.queue, i));
            storage().queues().send(Partitions.name(bench.queue, i), "{no sheet " + i);
        }
        put(bench, 1);
        drain(bench);
        assertThat(bench.deadLetterPage()).hasSize(4);

        bench.deadLetterPage().forEach(letter -> bench.deadLetters.restore(letter.id(), queue -> queue));

        assertThat(bench.deadLetterPage()).isEmpty();
        assertThat(bench.itemsByPartition(4).stream().mapToLong(Long::longValue).sum())
                .isEqualTo(4);
    }

    private ManualTime later(Duration duration) {
        return ManualTime.at(time().instant().plus(duration));
    }

    private static void put(WorkBench bench, int count) {
        put(bench, 0, count);
    }

    private static void put(WorkBench bench, int from, int count) {
        for (int i = 0; i < count - from; i++) {
            bench.queues.put(new Sheet("sheet " + from + "." + i));
        }
    }

    private static List<String> drain(WorkBench bench) {
        SheetService service = new SheetService((sheet, delivery) -> WorkResult.DONE, bench.type);
        QueueRunner<Sheet> runner = InlineWork.runner(bench.runtime, service, 32, () -> {});
        int taken = 1;
        while (taken > 0) {
            taken = runner.runOnce();
        }
        return service.begun;
    }

    /** Runs until the queue is empty, or only items out of reach are left. */
    private static void drainInto(WorkBench bench, Set<String> handled) {
        QueueRunner<Sheet> runner = bench.runner((sheet, delivery) -> {
            assertThat(handled.add(sheet.text())).isTrue();
            return WorkResult.DONE;
        });
        int taken = 1;
        while (taken > 0) {
            try {
                taken = runner.runOnce();
            } catch (StorageException theOthersAreEmpty) {
                taken = 0;
            }
        }
    }
}
