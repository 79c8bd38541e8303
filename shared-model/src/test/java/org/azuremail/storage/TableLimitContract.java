package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of rows and calls that every back end refuses before it writes anything. */
interface TableLimitContract extends TableContract {

    private void refusedWhole(List<Write> writes) {
        String table = newTable();
        assertThatIllegalArgumentException().isThrownBy(() -> tables().write(table, "p", writes));
        assertThat(Rows.all(tables(), table, KeyRange.everything())).isEmpty();
    }

    @Test
    default void emptyBatchIsRefused() {
        refusedWhole(List.of());
    }

    @Test
    default void batchOfMoreThanAHundredIsRefused() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i <= TableStore.MAX_BATCH; i++) {
            writes.add(Write.insert("r" + i, n(i)));
        }
        refusedWhole(writes);
    }

    @Test
    default void oneRowTwiceInABatchIsRefused() {
        refusedWhole(List.of(Write.insert("r", n(1)), Write.upsert("r", n(2))));
        refusedWhole(List.of(Write.insert("r", n(1)), Write.insert("s", n(1)), Write.delete("r")));
    }

    @Test
    default void batchOfMoreThanFourMebibytesIsRefused() {
        byte[] block = new byte[Values.MAX_BINARY_LENGTH];
        Values big = Values.of("A", block).with("B", block).with("C", block);
        List<Write> writes = new ArrayList<>();
        long bytes = 0;
        while (bytes <= TableStore.MAX_BATCH_BYTES) {
            Write write = Write.insert("r" + writes.size(), big);
            writes.add(write);
            bytes += StorageLimits.bytesInBatch("p", write);
        }
        refusedWhole(writes);
        String table = newTable();
        assertThat(tables().write(table, "p", writes.subList(1, writes.size())).written())
                .isTrue();
    }

    @Test
    default void rowOfMoreThanOneMebibyteIsRefused() {
        Values.Builder values = Values.builder();
        for (int i = 0; i < 16; i++) {
            values.put("P" + i, new byte[Values.MAX_BINARY_LENGTH]);
        }
        refusedWhole(List.of(Write.insert("r", values.build())));
    }

    @Test
    default void rowOfTooManyPropertiesIsRefused() {
        Values.Builder values = Values.builder();
        for (int i = 0; i <= StorageLimits.MAX_PROPERTIES; i++) {
            values.put("P" + i, i);
        }
        refusedWhole(List.of(Write.insert("r", values.build())));
    }

    @Test
    default void forbiddenKeysAreRefused() {
        String table = newTable();
        for (String key : List.of(
                "",
                " ",
                "a b",
                "a/b",
                "a\\b",
                "a#b",
                "a?b",
                "a%b",
                "a\tb",
                "a\u0000",
                "\u007f",
                "ü",
                "\uD83D\uDE80",
                "k".repeat(KeyEscaper.MAX_KEY_LENGTH + 1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> tables().write(table, "p", Write.upsert(key, n(1))));
            assertThatIllegalArgumentException().isThrownBy(() -> tables().write(table, key, Write.upsert("r", n(1))));
            assertThatIllegalArgumentException().isThrownBy(() -> tables().get(table, "p", key));
        }
        assertThat(Rows.all(tables(), table, KeyRange.everything())).isEmpty();
    }

    @Test
    default void forbiddenTableNamesAreRefused() {
        for (String table :
                List.of("", "ab", "Upper", "1digit", "da-sh", "dot.ted", "quote'", "x".repeat(64), "drop table")) {
            assertThatIllegalArgumentException().isThrownBy(() -> tables().createTable(table));
            assertThatIllegalArgumentException().isThrownBy(() -> tables().get(table, "p", "r"));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tables().query(table, KeyRange.everything(), 1, null));
            assertThatIllegalArgumentException().isThrownBy(() -> tables().write(table, "p", Write.delete("r")));
        }
    }

    @Test
    default void forbiddenPropertyNamesAreRefused() {
        for (String name :
                List.of("", "1a", "a b", "a-b", "ü", "PartitionKey", "RowKey", "Timestamp", "x".repeat(256))) {
            refusedWhole(List.of(Write.insert("r", Values.of(name, 1))));
        }
    }

    @Test
    default void valuesThatTablesCannotHoldAreRefused() {
        refusedWhole(List.of(Write.insert("r", Values.of("V", "half a pair \uD83D"))));
        refusedWhole(List.of(Write.insert("r", Values.of("V", Instant.parse("1600-12-31T23:59:59Z")))));
        refusedWhole(List.of(Write.insert("r", Values.of("V", Instant.parse("+10000-01-01T00:00:00Z")))));
        assertThatIllegalArgumentException().isThrownBy(() -> Values.of("V", "x".repeat(Values.MAX_STRING_LENGTH + 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Values.of("V", new byte[Values.MAX_BINARY_LENGTH + 1]));
        assertThatIllegalArgumentException().isThrownBy(() -> Values.of("V", new StringBuilder("x")));
    }

    @Test
    default void pagesOfZeroOrMoreThanAThousandAreRefused() {
        String table = newTable();
        for (int limit : new int[] {-1, 0, TableStore.MAX_PAGE + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tables().query(table, KeyRange.everything(), limit, null));
        }
    }
}
