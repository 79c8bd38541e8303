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
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.transfer.ImportBatch.ImportRow;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of a file into one shard, in their order. Each batch contains the import's own row of the shard, with the
 * last row done and the counts, under its ETag. So subscribers, counts and progress change together or not at all, and
 * a repeated import, or a second run of it, continues where the last batch ended. Refusals are saved before the batch
 * that passes them.
 */
final class ShardImport {

    /** Reading a row during a scan costs about an eighth of a separate query. */
    private static final int SCAN_WORTHWHILE = 8;

    private final ImportService service;
    private final MailingList list;
    private final ImportId id;
    private final ImportDecision decision;
    private final int shard;
    private final String partition;
    private final List<EmailAddress> added = new ArrayList<>();
    private int passed;

    /** The subscribers with the addresses of the remaining rows, by row key. */
    private final Map<String, Versioned<Subscriber>> known = new HashMap<>();

    /** The rows whose refusals are saved. These are final, whatever a second attempt at the batch would find. */
    private final Set<Long> refused = new HashSet<>();

    ShardImport(ImportService service, MailingList list, ImportId id, ImportDecision decision, int shard) {
        this.service = service;
        this.list = list;
        this.id = id;
        this.decision = decision;
        this.shard = shard;
        this.partition = SubscriberKeys.partition(list.name(), shard);
    }

    /** Imports these rows, except for those that are done already. */
    ImportProgress write(List<ImportRow> rows) {
        if (rows.isEmpty()) {
            return ImportProgress.of(row(ImportProgress.key(id)));
        }
        readAhead(rows);
        Optional<ImportProgress> done = Optional.empty();
        while (done.isEmpty()) {
            done = ConditionalWrites.retry("shard " + partition, () -> next(rows));
        }
        service.writer().directory().add(list.name(), added);
        added.clear();
        return done.get();
    }

    /**
     * @return the progress once no rows are left; an empty inner value after a batch; empty if the batch was refused
     */
    private Optional<Optional<ImportProgress>> next(List<ImportRow> rows) {
        Lock lock = service.writer().lock(list.name(), shard);
        lock.lock();
        try {
            Row row = row(ImportProgress.key(id));
            ImportProgress progress = ImportProgress.of(row);
            List<ImportRow> left = remaining(rows, progress);
            if (left.isEmpty()) {
                return Optional.of(Optional.of(progress));
            }
            ShardCounts.CountRow counted = service.writer().counts(list, shard);
            if (row == null && isOver()) {
                return Optional.of(Optional.of(progress));
            }
            return writeBatch(left, row, counted) ? Optional.of(Optional.empty()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether another process has ended the import, so that the missing progress may have been removed. Asked
     * after the counts were read: a person who is erased later changes them, and the batch is refused.
     */
    private boolean isOver() {
        return service.imports()
                .find(id)
                .filter(now -> now.value().state() == SubscriberImport.State.RUNNING)
                .isEmpty();
    }

    /** Returns the remaining rows. Each batch begins where the previous one ended, so rows before that are skipped. */
    private List<ImportRow> remaining(List<ImportRow> rows, ImportProgress progress) {
        while (passed < rows.size() && rows.get(passed).number() <= progress.lastRow()) {
            passed++;
        }
        List<ImportRow> left = rows.subList(passed, rows.size());
        return refused.isEmpty()
                ? left
                : left.stream().filter(row -> !refused.contains(row.number())).toList();
    }

    private boolean writeBatch(List<ImportRow> rows, @Nullable Row progressRow, ShardCounts.CountRow counted) {
        ImportBatch batch =
                new ImportBatch(partition, decision, counted, service.time().instant());
        for (ImportRow row : rows) {
            if (!batch.add(row, known.get(key(row)))) {
                break;
            }
        }
        service.imports().saveRefused(id, batch.refused());
        batch.refused().forEach(row -> refused.add(row.row()));
        WriteResult result = service.tables().write(SubscriptionStore.TABLE, partition, batch.writes(id, progressRow));
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
        return service.tables().get(SubscriptionStore.TABLE, partition, key).orElse(null);
    }

    /**
     * Reads the subscribers with the addresses of the rows; if one of them changes afterwards, the batch is refused.
     * Queries are in order of address and skip the rows in between, so nothing is read for new addresses after all
     * others. Whole pages are read if a large part of the shard is needed, or if all rows of the last page were.
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
            Page<Row> page = Rows.first(service.tables(), SubscriptionStore.TABLE, span, limit, null);
            int before = known.size();
            page.items().stream()
                    .filter(row -> wanted.contains(row.rowKey()))
                    .forEach(row -> known.put(row.rowKey(), SubscriberRow.subscriber(list.name(), row)));
            if (page.last()) {
                return;
            }
            found = known.size() - before == page.items().size();
            wanted.headSet(Rows.lastKey(page), true).clear();
        }
    }
}
