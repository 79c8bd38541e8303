package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of ranges and their order. */
interface TableQueryContract extends TableContract {

    private void put(String table, String partition, String... rowKeys) {
        for (String rowKey : rowKeys) {
            written(tables().write(table, partition, Write.insert(rowKey, n(1))));
        }
    }

    private List<String> rowKeys(String table, KeyRange range) {
        return Rows.all(tables(), table, range).stream().map(Row::rowKey).toList();
    }

    private List<String> keys(String table, KeyRange range) {
        return Rows.all(tables(), table, range).stream()
                .map(row -> row.key().partition() + " " + row.rowKey())
                .toList();
    }

    @Test
    default void rowsAreOrderedByTheirAsciiKeys() {
        String table = newTable();
        List<String> sorted =
                List.of("!", "!!", "\"", "'", "-", ".", "0", "=2E", "@", "A", "Z", "_", "a", "a!", "aa", "~");
        put(table, "p", Stream.of("a", "Z", "~", "!", "_", "aa", "0", "!!", "@").toArray(String[]::new));
        put(table, "p", Stream.of("A", "a!", "-", "=2E", ".", "'", "\"").toArray(String[]::new));
        assertThat(rowKeys(table, KeyRange.partition("p"))).isEqualTo(sorted);
    }

    @Test
    default void allRowsAreOrderedByPartitionAndThenByRow() {
        String table = newTable();
        put(table, "b", "1", "2");
        put(table, ".a", "9");
        put(table, "b!", "0");
        put(table, "a.b", "3");
        put(table, "B", "5");
        assertThat(keys(table, KeyRange.everything())).containsExactly(".a 9", "B 5", "a.b 3", "b 1", "b 2", "b! 0");
    }

    @Test
    default void readsSideBySideAreAnsweredInTheirOrder() {
        String table = newTable();
        List<String> partitions =
                IntStream.range(0, 40).mapToObj(i -> "p" + (100 - i)).toList();
        partitions.forEach(partition -> put(table, partition, "1", "2"));

        List<Page<Row>> pages = tables().readInParallel(partitions.stream()
                .<Supplier<Page<Row>>>map(
                        partition -> () -> Rows.first(tables(), table, KeyRange.partition(partition), 1, null))
                .toList());

        assertThat(pages)
                .extracting(page -> page.items().get(0).key().partition())
                .isEqualTo(partitions);
        assertThat(tables().<Page<Row>>readInParallel(List.of())).isEmpty();
    }

    @Test
    default void firstFailureOfReadsSideBySideIsThrown() {
        String table = newTable();
        put(table, "p", "1");

        assertThatThrownBy(() -> tables().readInParallel(List.of(
                        () -> tables().get(table, "p", "1"),
                        () -> tables().get("nosuchtable", "p", "1"),
                        () -> tables().get(table, "p", "1"))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("nosuchtable");
    }

    @Test
    default void partitionHoldsOnlyItsOwnRows() {
        String table = newTable();
        put(table, "p", "1", "~");
        put(table, "p!", "0");
        put(table, "pa", "0");
        put(table, "o", "9");
        assertThat(keys(table, KeyRange.partition("p"))).containsExactly("p 1", "p ~");
        assertThat(keys(table, KeyRange.partition("nobody"))).isEmpty();
    }

    @Test
    default void partitionsAreARangeFromInclusiveToExclusive() {
        String table = newTable();
        put(table, "a", "1");
        put(table, "b", "1");
        put(table, "b.1", "1");
        put(table, "c", "1");
        assertThat(keys(table, KeyRange.partitions("b", "c"))).containsExactly("b 1", "b.1 1");
        assertThat(keys(table, KeyRange.partitions(null, "b"))).containsExactly("a 1");
        assertThat(keys(table, KeyRange.partitions("b.1", null))).containsExactly("b.1 1", "c 1");
        assertThat(keys(table, KeyRange.partitions("c", "b"))).isEmpty();
    }

    @Test
    default void rowsAreARangeFromInclusiveToExclusive() {
        String table = newTable();
        put(table, "p", "a", "b", "b!", "c", "d");
        put(table, "q", "b");
        assertThat(rowKeys(table, KeyRange.rows("p", "b", "d"))).containsExactly("b", "b!", "c");
        assertThat(rowKeys(table, KeyRange.rows("p", null, "b"))).containsExactly("a");
        assertThat(rowKeys(table, KeyRange.rows("p", "c", null))).containsExactly("c", "d");
        assertThat(rowKeys(table, KeyRange.rows("p", "d", "a"))).isEmpty();
        assertThat(rowKeys(table, KeyRange.rows("p", "b", "b"))).isEmpty();
    }

    @Test
    default void prefixFindsTheRowsThatBeginWithIt() {
        String table = newTable();
        put(table, "p", "email", "email:", "email:!", "email:a", "email:~", "email;", "emaik", "guid:a");
        assertThat(rowKeys(table, KeyRange.prefix("p", "email:")))
                .containsExactly("email:", "email:!", "email:a", "email:~");
        assertThat(rowKeys(table, KeyRange.prefix("p", "~"))).isEmpty();
    }

    @Test
    default void prefixAfterContinuesAfterAKeyThatMayBeDeleted() {
        String table = newTable();
        put(table, "p", "email:a", "email:a!", "email:b", "email:c", "guid:a");
        assertThat(rowKeys(table, KeyRange.prefixAfter("p", "email:", "email:a")))
                .containsExactly("email:a!", "email:b", "email:c");
        written(tables().write(table, "p", Write.delete("email:b")));
        assertThat(rowKeys(table, KeyRange.prefixAfter("p", "email:", "email:b")))
                .containsExactly("email:c");
        assertThat(rowKeys(table, KeyRange.prefixAfter("p", "email:", "email:c")))
                .isEmpty();
    }

    @Test
    default void quotesInKeysHaveNoSpecialMeaning() {
        String table = newTable();
        put(table, "o'brien", "it''s", "it'", "' or '1' eq '1".replace(' ', '_'));
        assertThat(keys(table, KeyRange.prefix("o'brien", "it'"))).containsExactly("o'brien it'", "o'brien it''s");
        assertThat(tables().get(table, "o'brien", "it''s")).isPresent();
        assertThat(tables().get(table, "o'brien", "it's")).isEmpty();
    }

    @Test
    default void queriesSeeAcknowledgedWrites() {
        String table = newTable();
        put(table, "p", "a");
        assertThat(rowKeys(table, KeyRange.partition("p"))).containsExactly("a");
        written(tables().write(table, "p", List.of(Write.delete("a"), Write.insert("b", n(1)))));
        assertThat(rowKeys(table, KeyRange.partition("p"))).containsExactly("b");
    }
}
