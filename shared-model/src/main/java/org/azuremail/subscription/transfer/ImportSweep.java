package org.azuremail.subscription.transfer;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;

/**
 * Queues imports again that make no progress, removes the file and the shards' progress rows of finished imports, and
 * removes old imports completely.
 */
@ConditionalOnRole(Role.SCHEDULER)
final class ImportSweep implements ScheduledService {

    static final String NAME = "imports";

    /** The interval for removing old imports. The scheduler wakes this service while an import is under way. */
    private static final Duration SLOW_POLL = Duration.ofDays(1);

    private static final Duration STALLED = Duration.ofMinutes(10);
    private static final Duration CLEANUP_DELAY = Duration.ofDays(1);

    private final TableStore tables;
    private final BlobStore blobs;
    private final ListStore lists;
    private final ImportStore imports;
    private final WorkQueues queues;
    private final Time time;
    private final ImportProperties properties;
    private volatile boolean someRunning;

    ImportSweep(
            TableStore tables,
            BlobStore blobs,
            ListStore lists,
            ImportStore imports,
            WorkQueues queues,
            Time time,
            ImportProperties properties) {
        this.tables = tables;
        this.blobs = blobs;
        this.lists = lists;
        this.imports = imports;
        this.queues = queues;
        this.time = time;
        this.properties = properties;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Duration interval() {
        return SLOW_POLL;
    }

    @Override
    public Duration restAsOnlyProcess() {
        return someRunning ? STALLED : SLOW_POLL;
    }

    @Override
    public void run() {
        someRunning = true;
        Optional<Row> chore = imports.chores().of(NAME);
        boolean running = false;
        int place = 0;
        for (Row indexRow : imports.latestFirst()) {
            running |= sweepImport(indexRow, place++ >= properties.most());
        }
        if (!running) {
            chore.ifPresent(row -> imports.chores().removeIfSettled(row, time.instant()));
        }
        someRunning = running;
    }

    /** @return whether the import is, or may still be, under way */
    private boolean sweepImport(Row indexRow, boolean tooMany) {
        ImportId id = new ImportId(indexRow.rowKey());
        Instant now = time.instant();
        Instant queuedAt = indexRow.values().requireInstant("QueuedAt");
        Optional<SubscriberImport> found = imports.find(id).map(Versioned::value);
        if (found.isEmpty()) {
            // The file of this import may still be uploading.
            if (queuedAt.plus(CLEANUP_DELAY).isBefore(now)) {
                removeFile(id);
                imports.forget(indexRow);
                return false;
            }
            return true;
        }
        Instant finishedAt = found.get().finishedAt();
        if (finishedAt != null) {
            tidy(found.get(), finishedAt, indexRow, tooMany);
        } else if (queuedAt.plus(STALLED).isBefore(now)) {
            imports.announce(id, now);
            queues.put(new ImportItem(id));
        }
        return finishedAt == null;
    }

    private void tidy(SubscriberImport subscriberImport, Instant finishedAt, Row indexRow, boolean tooMany) {
        Instant now = time.instant();
        boolean tidied = ImportStore.tidied(indexRow);
        if (!tidied && finishedAt.plus(CLEANUP_DELAY).isBefore(now)) {
            removeFile(subscriberImport.id());
            lists.findValue(subscriberImport.list()).ifPresent(list -> removeProgress(list, subscriberImport.id()));
            imports.markTidied(indexRow);
        } else if (tidied && (tooMany || finishedAt.plus(properties.keep()).isBefore(now))) {
            imports.remove(subscriberImport.id());
            imports.forget(indexRow);
        }
    }

    /** Removes the progress rows. They are kept for a day, so that a slow second run of the import repeats nothing. */
    private void removeProgress(MailingList list, ImportId id) {
        for (int shard = 0; shard < list.shards(); shard++) {
            String partition = SubscriberKeys.partition(list.name(), shard);
            tables.get(SubscriptionStore.TABLE, partition, ImportProgress.key(id))
                    .ifPresent(row -> tables.write(SubscriptionStore.TABLE, partition, Write.delete(row)));
        }
    }

    private void removeFile(ImportId id) {
        blobs.delete(Imports.CONTAINER, id.value(), BlobStore.ALWAYS);
    }
}
