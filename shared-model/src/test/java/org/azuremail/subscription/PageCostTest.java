package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.SubscriberFilter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks the cost of a page of subscribers: the number of calls, of successive calls, and of rows. */
class PageCostTest {

    private static final int SHARDS = MailingList.DEFAULT_SHARDS;

    private final SubscriptionWorld world = new SubscriptionWorld();
    private final Watched watched = new Watched(world.simulated.tables());
    private final SubscriberPages pages = new SubscriberPages(watched);

    @Test
    void aPageAsksAllShardsAtOnceAndReadsAFewRowsOfEach() {
        IntStream.range(0, 1500).forEach(i -> world.subscribed("p%05d@example.org".formatted(i)));

        Page<Subscriber> first = page(SubscriberFilter.ALL, null);
        assertThat(watched.batches).containsExactly(SHARDS);
        assertThat(watched.rows).isLessThanOrEqualTo(4 * 50);

        watched.forget();
        assertThat(page(SubscriberFilter.ALL, first.continuation()).items()).hasSize(50);
        assertThat(watched.batches).containsExactly(SHARDS);
        assertThat(watched.rows).isLessThanOrEqualTo(4 * 50);

        watched.forget();
        assertThat(page(new SubscriberFilter("p005", java.util.Set.of()), null).items())
                .hasSize(50);
        assertThat(watched.batches).containsExactly(SHARDS);
        assertThat(watched.rows).isLessThanOrEqualTo(4 * 50);
    }

    @Test
    void aShardThatHasMoreThanItsShareCostsASecondRoundAndNobodyIsLeftOut() {
        List<String> together = new ArrayList<>();
        for (int i = 0; together.size() < 60; i++) {
            String address = "p%05d@example.org".formatted(i);
            if (world.list().shardOf(SubscriptionWorld.address(address)) == 3) {
                together.add(address);
                world.subscribed(address);
            }
        }

        Page<Subscriber> page = page(SubscriberFilter.ALL, null);
        List<String> walked = new ArrayList<>(addresses(page));
        assertThat(watched.batches).hasSizeBetween(2, 4);
        while (page.continuation() != null) {
            page = page(SubscriberFilter.ALL, page.continuation());
            walked.addAll(addresses(page));
        }

        assertThat(walked).isEqualTo(together);
    }

    @Test
    void countsOfAllListsAreAskedForAtOnce() {
        world.subscribed("ann@example.org");
        SubscriptionStore store = new SubscriptionStore(watched);

        assertThat(store.counts(List.of(world.list()))
                        .get(SubscriptionWorld.LIST)
                        .subscribed())
                .isEqualTo(1);
        assertThat(watched.batches).containsExactly(SHARDS);
        assertThat(store.counts(world.list()).total()).isEqualTo(1);
        assertThat(store.counts(List.of())).isEmpty();
    }

    private static List<String> addresses(Page<Subscriber> page) {
        return page.items().stream()
                .map(subscriber -> subscriber.address().value())
                .toList();
    }

    private Page<Subscriber> page(SubscriberFilter filter, @Nullable String cursor) {
        return pages.page(world.list(), filter, cursor, 50);
    }

    /** Tables that record their reads. */
    private static final class Watched implements TableStore {

        private final TableStore real;
        private final List<Integer> batches = new ArrayList<>();
        private int rows;

        Watched(TableStore real) {
            this.real = real;
        }

        void forget() {
            batches.clear();
            rows = 0;
        }

        @Override
        public <T> List<T> readInParallel(List<Supplier<T>> reads) {
            if (!reads.isEmpty()) {
                batches.add(reads.size());
            }
            return real.readInParallel(reads);
        }

        @Override
        public void createTable(String table) {
            real.createTable(table);
        }

        @Override
        public Optional<Row> get(String table, Key key) {
            return real.get(table, key);
        }

        @Override
        public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
            Page<Row> page = real.query(table, range, limit, continuation);
            rows += page.items().size();
            return page;
        }

        @Override
        public WriteResult write(String table, String partition, List<Write> writes) {
            return real.write(table, partition, writes);
        }
    }
}
