package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of single writes and batches, with their conditions and ETags. */
interface TableWriteContract extends TableContract {

    @Test
    default void insertedRowIsReadBackWithItsEtag() {
        String table = newTable();
        String etag = written(tables().write(table, "p", Write.insert("r", n(1))));
        assertThat(tables().get(table, "p", "r")).hasValue(new Row(new Key("p", "r"), etag, n(1)));
    }

    @Test
    default void rowThatWasNeverWrittenIsEmpty() {
        assertThat(tables().get(newTable(), "p", "r")).isEmpty();
    }

    @Test
    default void creatingATableAgainKeepsItsRows() {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1))));
        tables().createTable(table);
        assertThat(tables().get(table, "p", "r")).isPresent();
    }

    @Test
    default void tableThatDoesNotExistIsAnError() {
        String absent = FreshNames.next();
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> tables().get(absent, "p", "r"));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> tables().query(absent, KeyRange.everything(), 10, null));
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> tables().write(absent, "p", Write.insert("r", n(1))));
    }

    @Test
    default void insertOfAnExistingRowIsRefused() {
        String table = newTable();
        String etag = written(tables().write(table, "p", Write.insert("r", n(1))));
        assertThat(tables().write(table, "p", Write.insert("r", n(2)))).isEqualTo(new WriteResult.Exists());
        assertThat(tables().get(table, "p", "r")).hasValue(new Row(new Key("p", "r"), etag, n(1)));
    }

    @Test
    default void replaceNeedsTheCurrentEtag() {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1))));
        Row first = tables().get(table, "p", "r").orElseThrow();
        written(tables().write(table, "p", Write.replace(first, n(2))));
        assertThat(tables().write(table, "p", Write.replace(first, n(3)))).isEqualTo(new WriteResult.Stale());
        assertThat(tables().get(table, "p", "r").orElseThrow().values()).isEqualTo(n(2));
    }

    @Test
    default void replaceDropsPropertiesThatItDoesNotName() {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1).with("Old", "x"))));
        Row row = tables().get(table, "p", "r").orElseThrow();
        written(tables().write(table, "p", Write.replace(row, Values.of("New", "y"))));
        assertThat(tables().get(table, "p", "r").orElseThrow().values()).isEqualTo(Values.of("New", "y"));
    }

    @Test
    default void replaceAndDeleteOfAMissingRowAreMissing() {
        String table = newTable();
        String etag = written(tables().write(table, "p", Write.insert("r", n(1))));
        written(tables().write(table, "p", Write.delete("r")));
        Row gone = new Row(new Key("p", "r"), etag, n(1));
        assertThat(tables().write(table, "p", Write.replace(gone, n(2)))).isEqualTo(new WriteResult.Missing());
        assertThat(tables().write(table, "p", Write.delete(gone))).isEqualTo(new WriteResult.Missing());
        assertThat(tables().write(table, "p", Write.delete("r"))).isEqualTo(new WriteResult.Missing());
    }

    @Test
    default void upsertCreatesAndReplaces() {
        String table = newTable();
        written(tables().write(table, "p", Write.upsert("r", n(1).with("Old", "x"))));
        written(tables().write(table, "p", Write.upsert("r", n(2))));
        assertThat(tables().get(table, "p", "r").orElseThrow().values()).isEqualTo(n(2));
    }

    @Test
    default void deleteNeedsTheCurrentEtagUnlessAnyIsAllowed() {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1))));
        Row first = tables().get(table, "p", "r").orElseThrow();
        written(tables().write(table, "p", Write.upsert("r", n(2))));
        assertThat(tables().write(table, "p", Write.delete(first))).isEqualTo(new WriteResult.Stale());
        assertThat(tables().get(table, "p", "r")).isPresent();
        assertThat(tables().write(table, "p", Write.delete("r")).written()).isTrue();
        assertThat(tables().get(table, "p", "r")).isEmpty();
    }

    @Test
    default void etagChangesWithEveryWriteEvenOfTheSameValues() {
        String table = newTable();
        String first = written(tables().write(table, "p", Write.upsert("r", n(1))));
        String second = written(tables().write(table, "p", Write.upsert("r", n(1))));
        assertThat(second).isNotEqualTo(first).isNotEmpty();
    }

    @Test
    default void etagIsNeverUsedAgainAfterDeleteAndInsert() {
        String table = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1))));
        Row first = tables().get(table, "p", "r").orElseThrow();
        written(tables().write(table, "p", Write.delete(first)));
        written(tables().write(table, "p", Write.insert("r", n(1))));
        assertThat(tables().write(table, "p", Write.replace(first, n(2)))).isEqualTo(new WriteResult.Stale());
        assertThat(tables().write(table, "p", Write.delete(first))).isEqualTo(new WriteResult.Stale());
        assertThat(tables().get(table, "p", "r").orElseThrow().values()).isEqualTo(n(1));
    }

    @Test
    default void etagsOfABatchAreInTheOrderOfItsWrites() {
        String table = newTable();
        written(tables().write(table, "p", List.of(Write.insert("a", n(1)), Write.insert("b", n(1)))));
        Row a = tables().get(table, "p", "a").orElseThrow();
        WriteResult result = tables().write(
                        table,
                        "p",
                        List.of(
                                Write.insert("z", n(2)),
                                Write.delete("b"),
                                Write.replace(a, n(3)),
                                Write.upsert("c", n(4))));
        List<String> etags = ((WriteResult.Written) result).etags();
        assertThat(etags).hasSize(4);
        assertThat(etags.get(0))
                .isEqualTo(tables().get(table, "p", "z").orElseThrow().etag());
        assertThat(etags.get(1)).isEmpty();
        assertThat(etags.get(2))
                .isEqualTo(tables().get(table, "p", "a").orElseThrow().etag());
        assertThat(etags.get(3))
                .isEqualTo(tables().get(table, "p", "c").orElseThrow().etag());
        assertThat(tables().get(table, "p", "b")).isEmpty();
    }

    @Test
    default void batchOfAHundredIsAccepted() {
        String table = newTable();
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < TableStore.MAX_BATCH; i++) {
            writes.add(Write.insert("r" + i, n(i)));
        }
        assertThat(tables().write(table, "p", writes).written()).isTrue();
        assertThat(Rows.all(tables(), table, KeyRange.partition("p"))).hasSize(TableStore.MAX_BATCH);
    }

    @Test
    default void batchWithAnInsertOfAnExistingRowLeavesNothing() {
        refusedBatchLeavesNothing(Write.insert("there", n(9)), new WriteResult.Exists());
    }

    @Test
    default void batchWithAStaleReplaceLeavesNothing() {
        refusedBatchLeavesNothing(new Write.Replace("there", n(9), "stale"), new WriteResult.Stale());
    }

    @Test
    default void batchWithAStaleDeleteLeavesNothing() {
        refusedBatchLeavesNothing(new Write.Delete("there", "stale"), new WriteResult.Stale());
    }

    @Test
    default void batchWithADeleteOfAMissingRowLeavesNothing() {
        refusedBatchLeavesNothing(Write.delete("missing"), new WriteResult.Missing());
    }

    @Test
    default void batchWithAReplaceOfAMissingRowLeavesNothing() {
        refusedBatchLeavesNothing(new Write.Replace("missing", n(9), "stale"), new WriteResult.Missing());
    }

    private void refusedBatchLeavesNothing(Write refused, WriteResult expected) {
        String table = newTable();
        // An outdated ETag of the row in the right form, because some back ends parse ETags.
        String stale = written(tables().write(table, "p", Write.insert("there", n(0))));
        written(tables().write(table, "p", List.of(Write.upsert("there", n(1)), Write.insert("victim", n(1)))));
        List<Row> before = Rows.all(tables(), table, KeyRange.everything());
        Write write = refused;
        if (refused instanceof Write.Replace replace) {
            write = new Write.Replace(replace.rowKey(), replace.values(), stale);
        } else if (refused instanceof Write.Delete delete && !delete.etag().equals(Write.ANY)) {
            write = new Write.Delete(delete.rowKey(), stale);
        }
        List<Write> batch =
                List.of(Write.insert("new", n(2)), Write.delete("victim"), write, Write.upsert("other", n(3)));
        assertThat(tables().write(table, "p", batch)).isEqualTo(expected);
        assertThat(Rows.all(tables(), table, KeyRange.everything())).isEqualTo(before);
    }

    @Test
    default void sameKeysInOtherPartitionsAndTablesAreOtherRows() {
        String table = newTable();
        String other = newTable();
        written(tables().write(table, "p", Write.insert("r", n(1))));
        written(tables().write(table, "q", Write.insert("r", n(2))));
        written(tables().write(other, "p", Write.insert("r", n(3))));
        written(tables().write(table, "p", Write.delete("r")));
        assertThat(tables().get(table, "q", "r").orElseThrow().values()).isEqualTo(n(2));
        assertThat(tables().get(other, "p", "r").orElseThrow().values()).isEqualTo(n(3));
    }
}
