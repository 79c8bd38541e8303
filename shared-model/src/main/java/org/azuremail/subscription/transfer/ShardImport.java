package org.azuremail.subscription.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of a file into one shard, in their order. Each batch carries the import's own row of the shard: the last row
 * done and what became of them, under its ETag. So subscribers, counts and progress change together or not at all, and
 * a repeated import, or a second run of it, continues where the last batch ended. Refusals are written down
 * before the batch that passes them.
 */
final class ShardImport {

    /** Reading a row on the way costs about an eighth of asking for it. */
    private static final int SCAN_WORTHWHILE = 8;

    private final TableStore tables;
    private final ShardWriter writer;
    private final ImportStore imports;
    private final Time time;
    private final MailingList list;
    private final ImportId id;
    private final ImportDecision decision;
    private final int shard;
    private final String partition;
    private final List<EmailAddress> added = new ArrayList<>();
    private int passed;

    /** The subscribers who have the addresses of rows that are left, by row key. */
    private final Map<String, Versioned<Subscriber>> known = new HashMap<>();

    /** Written down already: they stand, whatever a second attempt at the batch would find. */
    private final Set<Long> refused = new HashSet<>();

    ShardImport(
            TableStore tables,
            ShardWriter writer,
            ImportStore imports,
            Time time,
            MailingList list,
            ImportId id,
            ImportDecision decision,
            int shard) {
        this.tables = tables;
        this.writer = writer;
        this.imports = imports;
        this.time = time;
        this.list = list;
        this.id = id;
        this.decision = decision;
        this.shard = shard;
        this.partition = SubscriberKeys.partition(list.name(), shard);
    }

    /**
     * Brings these rows in, except for those that are done already.
     *
     * @return the progress afterwards
     */
    ImportProgress write(List<ImportRow> rows) {
        if (rows.isEmpty()) {
            return ImportProgress.of(row(ImportProgress.key(id)));
        }
        readAhead(rows);
        Optional<ImportProgress> done = Optional.empty();
        while (done.isEmpty()) {
            done = ConditionalWrites.until("shard " + partition, () -> next(rows));
        }
        writer.directory().added(list.name(), added);
        added.clear();
        return done.get();
    }

    /** @return the progress once nothing is left; empty inside after a batch, and empty when the batch was refused */
    private Optional<Optional<ImportProgress>> next(List<ImportRow> rows) {
        Lock lock = writer.lock(list.name(), shard);
        lock.lock();
        try {
            Row row = row(ImportProgress.key(id));
            ImportProgress progress = ImportProgress.of(row);
            List<ImportRow> left = left(rows, progress);
            if (left.isEmpty()) {
                return Optional.of(Optional.of(progress));
            }
            return writeBatch(left, row) ? Optional.of(Optional.empty()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Each batch ends where the next one begins: rows that were passed are not looked at again. */
    private List<ImportRow> left(List<ImportRow> rows, ImportProgress progress) {
        while (passed < rows.size() && rows.get(passed).number() <= progress.lastRow()) {
            passed++;
        }
        List<ImportRow> left = rows.subList(passed, rows.size());
        return refused.isEmpty()
                ? left
                : left.stream().filter(row -> !refused.contains(row.number())).toList();
    }

    private boolean writeBatch(List<ImportRow> rows, @Nullable Row progressRow) {
        ShardCounts.Counted counted = writer.counts(list.name(), shard);
        ImportBatch batch = new ImportBatch(partition, decision, counted, time.instant());
        for (ImportRow row : rows) {
            if (!batch.add(row, known.get(key(row)))) {
                break;
            }
        }
        imports.refuse(id, batch.refused());
        batch.refused().forEach(row -> refused.add(row.row()));
        WriteResult result = tables.write(SubscriptionStore.TABLE, partition, batch.writes(id, progressRow));
        if (result instanceof WriteResult.Written written) {
            batch.remember(written, known);
            added.addAll(batch.added());
            return true;
        }
        readAhead(rows);
        return false;
    }

    private static String key(ImportRow row) {
        return SubscriberKeys.email(row.address().folded());
    }

    private @Nullable Row row(String key) {
        return tables.get(SubscriptionStore.TABLE, partition, key).orElse(null);
    }

    /**
     * Reads the subscribers who have the rows' addresses; a change meanwhile fails its batch. Asks in order of address and skips
     * what lies between: nothing is read for new addresses behind all others. If much of the shard is wanted, or all that the
     * last page brought, whole pages are read.
     */
    private void readAhead(List<ImportRow> rows) {
        known.clear();
        TreeSet<String> wanted = rows.stream().map(ShardImport::key).collect(Collectors.toCollection(TreeSet::new));
        Row counts = row(SubscriberKeys.COUNT);
        long total = counts == null ? 0 : SubscriberCounts.from(counts.values()).total();
        boolean dense = total <= (long) wanted.size() * SCAN_WORTHWHILE;
        boolean found = false;
        while (!wanted.isEmpty()) {
            KeyRange span = KeyRange.rows(partition, wanted.first(), KeyRange.next(wanted.last()));
            int limit = dense || found ? TableStore.MAX_PAGE : SCAN_WORTHWHILE;
            RowPage page = Rows.first(tables, SubscriptionStore.TABLE, span, limit, null);
            int before = known.size();
            page.rows().stream()
                    .filter(row -> wanted.contains(row.rowKey()))
                    .forEach(row -> known.put(row.rowKey(), SubscriberRow.subscriber(list.name(), row)));
            if (page.last()) {
                return;
            }
            found = known.size() - before == page.rows().size();
            wanted.headSet(page.rows().get(page.rows().size() - 1).rowKey(), true)
                    .clear();
        }
    }
}
