package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of simultaneous calls on many threads. */
interface TableRaceContract extends TableContract {

    int THREADS = 8;
    int ROUNDS = 25;

    @Test
    default void noUpdateUnderAnEtagIsLost() throws Exception {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("counter", n(0))));
        Together.run(THREADS, thread -> () -> {
            for (int round = 0; round < ROUNDS; round++) {
                increment(table);
            }
            return null;
        });
        assertThat(tables().get(table, "p", "counter").orElseThrow().values().number("N", -1))
                .isEqualTo((long) THREADS * ROUNDS);
    }

    private void increment(String table) {
        WriteResult result;
        do {
            Row row = tables().get(table, "p", "counter").orElseThrow();
            result =
                    tables().write(table, "p", Write.replace(row, n(row.values().number("N", -1) + 1)));
        } while (!result.written());
    }

    @Test
    default void oneOfManyInsertsWins() throws Exception {
        String table = newTable();
        for (int round = 0; round < ROUNDS; round++) {
            String rowKey = "r" + round;
            List<WriteResult> results =
                    Together.run(THREADS, thread -> () -> tables().write(table, "p", Write.insert(rowKey, n(thread))));
            assertThat(results).filteredOn(WriteResult::written).hasSize(1);
            assertThat(results).filteredOn(result -> !result.written()).containsOnly(new WriteResult.Exists());
        }
    }

    @Test
    default void oneOfManyBatchesUnderTheSameFenceWinsCompletely() throws Exception {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("!fence", n(0))));
        for (int round = 0; round < ROUNDS; round++) {
            Row fence = tables().get(table, "p", "!fence").orElseThrow();
            String prefix = "round" + round + "-";
            List<WriteResult> results = Together.run(
                    THREADS,
                    thread -> () -> tables().write(
                                    table,
                                    "p",
                                    List.of(
                                            Write.insert(prefix + "a" + thread, n(thread)),
                                            Write.insert(prefix + "b" + thread, n(thread)),
                                            Write.replace(fence, n(thread)))));
            assertThat(results).filteredOn(WriteResult::written).hasSize(1);
            assertThat(Rows.all(tables(), table, KeyRange.prefix("p", prefix))).hasSize(2);
        }
    }

    @Test
    default void writersOfDifferentRowsDoNotDisturbEachOther() throws Exception {
        String table = newTable();
        List<Boolean> allWritten = Together.run(THREADS, thread -> () -> {
            boolean all = true;
            for (int round = 0; round < ROUNDS; round++) {
                all &= tables().write(table, "p", Write.insert(thread + "-" + round, n(round)))
                        .written();
                all &= !tables().write(table, "p", Write.insert(thread + "-0", n(round)))
                        .written();
            }
            return all;
        });
        assertThat(allWritten).containsOnly(true);
        assertThat(Rows.all(tables(), table, KeyRange.partition("p"))).hasSize(THREADS * ROUNDS);
    }

    @Test
    default void batchIsVisibleCompletelyOrNotAtAll() throws Exception {
        String table = newTable();
        written(tables().write(table, "p", List.of(Write.insert("a", n(0)), Write.insert("b", n(0)))));
        Together.run(2, thread -> () -> {
            for (int round = 1; round <= ROUNDS; round++) {
                if (thread == 0) {
                    written(tables().write(
                                    table, "p", List.of(Write.upsert("a", n(round)), Write.upsert("b", n(round)))));
                } else {
                    List<Row> rows = tables().query(table, KeyRange.partition("p"), 2, null)
                            .items();
                    assertThat(rows).extracting(Row::values).hasSizeLessThanOrEqualTo(2);
                    assertThat(rows.stream().map(Row::values).distinct()).hasSizeLessThanOrEqualTo(1);
                }
            }
            return null;
        });
    }
}
