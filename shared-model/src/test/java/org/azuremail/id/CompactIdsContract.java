package org.azuremail.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Together;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of numbers that several processes take from one storage. */
public interface CompactIdsContract {

    /** Returns the storage under test, which other tests may share. */
    Storage storage();

    private CompactIds process() {
        return new CompactIds(storage());
    }

    @Test
    @DisplayName("L-9: the rest of a process's block is a gap, and nothing comes twice")
    default void l9_aDeadProcessLeavesAGap() {
        String counter = FreshNames.next();
        CompactIds first = process();
        assertThat(LongStream.range(0, 40).map(i -> first.next(counter)).toArray())
                .containsExactly(LongStream.rangeClosed(1, 40).toArray());

        assertThat(process().next(counter)).isEqualTo(63);
    }

    @Test
    @DisplayName("L-10: two processes that take turns get different numbers, and skip no more than they issue")
    default void l10_twoInterleavedProcessesAreUnique() {
        String counter = FreshNames.next();
        List<CompactIds> processes = List.of(process(), process());
        Set<Long> issued = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 10_000; i++) {
            long id = processes.get(i % 2).next(counter);
            assertThat(issued.add(id)).as("number %d", id).isTrue();
            highest = Math.max(highest, id);
        }

        assertThat(highest - issued.size()).isLessThanOrEqualTo(10_000 + 4);
    }

    @Test
    @DisplayName("L-10: many threads of several processes get different numbers")
    default void l10_manyThreadsAreUnique() throws Exception {
        String counter = FreshNames.next();
        List<CompactIds> processes = List.of(process(), process(), process());

        List<Set<Long>> perThread = Together.run(12, thread -> () -> {
            Set<Long> own = new HashSet<>();
            for (int i = 0; i < 2_000; i++) {
                own.add(processes.get(thread % 3).next(counter));
            }
            return own;
        });

        Set<Long> issued = new HashSet<>();
        perThread.forEach(issued::addAll);
        assertThat(issued).hasSize(24_000);
    }
}
