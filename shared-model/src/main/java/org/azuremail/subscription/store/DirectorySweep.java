package org.azuremail.subscription.store;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the directory once a day with the shards of lists that have changed since the last comparison. The first
 * comparison also fills the directory of an older installation. For each shard, a row in the partition {@code .sweep}
 * records the version of its counts at the beginning of the comparison, the position, and the number of repaired
 * entries. A run stops after a number of pages, and the next run continues there.
 */
final class DirectorySweep implements ScheduledService {

    private static final Logger LOG = LoggerFactory.getLogger(DirectorySweep.class);

    static final String PARTITION = ".sweep";

    private static final Duration DAY = Duration.ofDays(1);

    /**
     * The interval if there is only one process. Entries are missing only after it died, and the sweep runs when it
     * starts.
     */
    private static final Duration WEEK = Duration.ofDays(7);

    private static final Duration SOON = Duration.ofMinutes(1);
    static final int PAGES_PER_RUN = 500;

    /**
     * The most entries of a page that are checked with a read each. Such a read costs as much as the page, which may
     * contain only people of other lists.
     */
    private static final int MAX_POINT_READS_PER_PAGE = 50;

    private final ListStore lists;
    private final TableStore tables;
    private final PersonDirectory directory;
    private final int pagesPerRun;
    private volatile boolean unfinished;

    DirectorySweep(ListStore lists, TableStore tables, PersonDirectory directory, int pagesPerRun) {
        this.lists = lists;
        this.tables = tables;
        this.directory = directory;
        this.pagesPerRun = pagesPerRun;
    }

    /**
     * Returns the name, which is one of {@link Signals#RUN_AFTER_DEATH}, because entries that a dead process had
     * gathered are missing.
     */
    @Override
    public String name() {
        return "person-directory";
    }

    @Override
    public Duration interval() {
        return unfinished ? SOON : DAY;
    }

    @Override
    public Duration restAsOnlyProcess() {
        return unfinished ? SOON : WEEK;
    }

    @Override
    public void run() {
        List<MailingList> all = lists.all();
        if (all.isEmpty()) {
            return;
        }
        directory.flush();
        Map<String, Row> known = new HashMap<>();
        Rows.stream(tables, PersonDirectory.TABLE, KeyRange.partition(PARTITION))
                .forEach(row -> known.put(row.rowKey(), row));
        int left = pagesPerRun;
        for (MailingList list : all) {
            for (int shard = 0; shard < list.shards(); shard++) {
                Optional<Row> before = Optional.ofNullable(known.remove(SubscriberKeys.partition(list.name(), shard)));
                if (!list.deleting() && left > 0) {
                    left -= new ShardComparison(list, shard, before).compareUpTo(left);
                }
            }
        }
        unfinished = left <= 0;
        known.values().forEach(gone -> tables.write(PersonDirectory.TABLE, PARTITION, Write.delete(gone)));
    }

    /** The comparison of one shard, which continues where the last one stopped. */
    private final class ShardComparison {

        private final MailingList list;
        private final int shard;
        private final String partition;
        private final List<String> partitionsHere;
        private final Optional<Row> row;
        private final Values before;
        private @Nullable String after;
        private int repaired;

        ShardComparison(MailingList list, int shard, Optional<Row> row) {
            this.list = list;
            this.shard = shard;
            this.partition = SubscriberKeys.partition(list.name(), shard);
            this.partitionsHere = MailingList.partitionsOf(shard, list.shards(), PersonDirectory.PARTITIONS)
                    .mapToObj(Integer::toString)
                    .toList();
            this.row = row;
            this.before = row.map(Row::values).orElse(Values.none());
            this.after = before.string("After");
        }

        /** @return the number of pages that it has compared */
        int compareUpTo(int pages) {
            String begun = before.string("Counts", "");
            String counts = tables.get(SubscriptionStore.TABLE, partition, SubscriberKeys.COUNT)
                    .map(Row::etag)
                    .orElse("");
            if (after == null && begun.equals(counts)) {
                return 0;
            }
            String since = after == null ? counts : begun;
            int done = 0;
            do {
                after = compare();
                done++;
            } while (after != null && done < pages);
            remember(since);
            return done;
        }

        /** @return the position where the next page begins; {@code null} after the last page */
        private @Nullable String compare() {
            KeyRange range = KeyRange.prefixAfter(partition, SubscriberKeys.EMAIL, after);
            Page<Row> page = Rows.first(tables, SubscriptionStore.TABLE, range, TableStore.MAX_PAGE, null);
            List<String> existing = page.items().stream()
                    .map(row -> row.rowKey().substring(SubscriberKeys.EMAIL.length()))
                    .toList();
            String last = page.last() ? null : existing.get(existing.size() - 1);
            Map<String, Set<String>> byPartition = existing.stream()
                    .collect(Collectors.groupingBy(
                            escaped -> PersonDirectory.partition(KeyEscaper.unescape(escaped)),
                            Collectors.toCollection(TreeSet::new)));
            for (String one : partitionsHere) {
                compare(one, byPartition.getOrDefault(one, Set.of()), last);
            }
            return last == null ? null : SubscriberKeys.EMAIL + last;
        }

        private void compare(String directoryPartition, Set<String> existing, @Nullable String last) {
            String from = after == null ? null : keyAfter(after.substring(SubscriberKeys.EMAIL.length()));
            String to = last == null ? null : keyAfter(last);
            String suffix = PersonDirectory.key("", list.name());
            TreeSet<String> missing =
                    existing.stream().map(escaped -> escaped + suffix).collect(Collectors.toCollection(TreeSet::new));
            int pages = 1 + missing.size() / MAX_POINT_READS_PER_PAGE;
            Page<Row> page = null;
            while (pages-- > 0 && (page == null || !page.last())) {
                page = Rows.first(
                        tables,
                        PersonDirectory.TABLE,
                        KeyRange.rows(directoryPartition, from, to),
                        TableStore.MAX_PAGE,
                        page == null ? null : page.continuation());
                for (Row entry : page.items()) {
                    if (entry.rowKey().endsWith(suffix) && !missing.remove(entry.rowKey())) {
                        removeIfGone(directoryPartition, entry);
                    }
                }
            }
            if (page != null && !page.last()) {
                missing.removeIf(key -> tables.get(PersonDirectory.TABLE, directoryPartition, key)
                        .isPresent());
            }
            directory.put(directoryPartition, missing);
            repaired += missing.size();
        }

        /**
         * Removes an entry unless its subscriber exists, is in another shard, or was added since the entry was read.
         */
        private void removeIfGone(String directoryPartition, Row entry) {
            PersonDirectory.Entry person = PersonDirectory.Entry.of(entry);
            boolean gone = list.shardOf(person.address()) == shard
                    && tables.get(
                                    SubscriptionStore.TABLE,
                                    partition,
                                    SubscriberKeys.email(person.address().folded()))
                            .isEmpty();
            if (gone
                    && tables.write(PersonDirectory.TABLE, directoryPartition, Write.delete(entry))
                            .written()) {
                repaired++;
            }
        }

        private void remember(String since) {
            Values values = Values.builder()
                    .put("Counts", since)
                    .put("After", after)
                    .put("Repaired", before.number("Repaired", 0) + repaired)
                    .build();
            tables.write(PersonDirectory.TABLE, PARTITION, Write.put(row, partition, values));
            if (repaired > 0) {
                LOG.info("directory: {} entries of {} repaired", repaired, partition);
            }
        }
    }

    /** Returns a row key after all keys of an address and before those of the next one. */
    private static String keyAfter(String escaped) {
        return KeyRange.afterPrefix(escaped + PersonDirectory.SEPARATOR);
    }
}
