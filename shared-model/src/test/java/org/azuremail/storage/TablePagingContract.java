package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of pages, also while the table changes. */
interface TablePagingContract extends TableContract {

    private String tableWith(int rows) {
        String table = newTable();
        for (int from = 0; from < rows; from += TableStore.MAX_BATCH) {
            List<Write> writes = IntStream.range(from, Math.min(rows, from + TableStore.MAX_BATCH))
                    .mapToObj(i -> Write.insert(key(i), n(i)))
                    .toList();
            assertThat(tables().write(table, "p", writes).written()).isTrue();
        }
        return table;
    }

    private static String key(int i) {
        return String.format("r%05d", i);
    }

    private List<String> walk(String table, int limit, Consumer<Page<Row>> afterPage) {
        List<String> seen = new ArrayList<>();
        String continuation = null;
        do {
            Page<Row> page = tables().query(table, KeyRange.partition("p"), limit, continuation);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            page.items().forEach(row -> seen.add(row.rowKey()));
            continuation = page.continuation();
            afterPage.accept(page);
        } while (continuation != null);
        return seen;
    }

    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(TablePagingContract::key).toList();
    }

    @Test
    default void pagesCoverEveryRowOnceAndEnd() {
        String table = tableWith(50);
        assertThat(walk(table, 7, page -> {})).isEqualTo(keys(0, 50));
        assertThat(walk(table, 50, page -> {})).isEqualTo(keys(0, 50));
        assertThat(walk(table, 1, page -> {})).isEqualTo(keys(0, 50));
    }

    @Test
    default void moreThanAThousandRowsComeOnSeveralPages() {
        String table = tableWith(1250);
        assertThat(walk(table, TableStore.MAX_PAGE, page -> {})).isEqualTo(keys(0, 1250));
    }

    @Test
    default void pagesOverSeveralPartitionsContinueWhereTheyStopped() {
        String table = newTable();
        for (int i = 0; i < 12; i++) {
            written(tables().write(table, "p" + i / 4, Write.insert(key(i), n(i))));
        }
        List<String> seen = new ArrayList<>();
        String continuation = null;
        do {
            Page<Row> page = tables().query(table, KeyRange.partitions("p0", "p9"), 3, continuation);
            page.items().forEach(row -> seen.add(row.rowKey()));
            continuation = page.continuation();
        } while (continuation != null);
        assertThat(seen).isEqualTo(keys(0, 12));
    }

    @Test
    default void rowsThatStayAreListedOnceWhileOthersComeAndGo() {
        String table = tableWith(40);
        AtomicInteger pages = new AtomicInteger();
        List<String> seen = walk(table, 6, ignored -> {
            int page = pages.getAndIncrement();
            written(tables().write(table, "p", Write.insert(key(1000 + page), n(0))));
            written(tables().write(table, "p", Write.insert("a" + key(page), n(0))));
            if (page < 6) {
                tables().write(table, "p", Write.delete(key(page * 2)));
                tables().write(table, "p", Write.delete(key(39 - page * 2)));
            }
        });
        List<String> stayed = new ArrayList<>(keys(0, 40));
        stayed.removeIf(key -> tables().get(table, "p", key).isEmpty());
        assertThat(stayed).hasSize(28);
        assertThat(seen).doesNotHaveDuplicates().containsAll(stayed).isSorted();
    }

    @Test
    default void listingContinuesWhenTheLastRowOfAPageIsDeleted() {
        String table = tableWith(9);
        List<String> seen = walk(
                table, 3, page -> page.items().forEach(row -> written(tables().write(table, "p", Write.delete(row)))));
        assertThat(seen).isEqualTo(keys(0, 9));
        assertThat(tables().query(table, KeyRange.partition("p"), 10, null).items())
                .isEmpty();
    }

    @Test
    default void streamAndFirstFillUpShortPages() {
        String table = tableWith(25);
        assertThat(Rows.stream(tables(), table, KeyRange.partition("p")).map(Row::rowKey))
                .containsExactlyElementsOf(keys(0, 25));
        Page<Row> first = Rows.first(tables(), table, KeyRange.partition("p"), 10, null);
        assertThat(first.items()).extracting(Row::rowKey).isEqualTo(keys(0, 10));
        Page<Row> second = Rows.first(tables(), table, KeyRange.partition("p"), 20, first.continuation());
        assertThat(second.items()).extracting(Row::rowKey).isEqualTo(keys(10, 25));
        assertThat(second.last()).isTrue();
    }
}
