package org.azuremail.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.copy.Position.Stage;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.OpenBlob;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies tables and containers and moves queues from one storage to another. Every step can be repeated. */
record Transfer(Storage source, Storage target) {

    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
    private static final int BLOBS_PER_CHECKPOINT = 100;
    private static final long BYTES_PER_CHECKPOINT = 8L * 1024 * 1024;
    private static final Duration HIDDEN = Duration.ofMinutes(1);

    /** Copies tables page by page in key order, and then containers in the order of their blobs' names. */
    void copy(Storage.Inventory inventory, CopyProgress progress) {
        inventory.tables().forEach(target.tables()::createTable);
        inventory.queues().forEach(target.queues()::createQueue);
        inventory.containers().forEach(target.blobs()::createContainer);
        inventory.tables().stream()
                .filter(table -> !progress.position().isBehind(Stage.TABLES, table))
                .forEach(
                        table -> rangesLeft(table, progress.position()).forEach(range -> copy(table, range, progress)));
        inventory.containers().stream()
                .filter(container -> !progress.position().isBehind(Stage.BLOBS, container))
                .forEach(container -> copyBlobs(container, progress));
        progress.advanceTo(Position.atBeginning(Stage.QUEUES, ""));
    }

    private static List<KeyRange> rangesLeft(String table, Position after) {
        if (!after.isIn(Stage.TABLES, table) || after.partition().isEmpty()) {
            return List.of(KeyRange.everything());
        }
        return List.of(
                KeyRange.rows(after.partition(), KeyRange.next(after.row()), null),
                KeyRange.partitions(KeyRange.next(after.partition()), null));
    }

    private void copy(String table, KeyRange range, CopyProgress progress) {
        String continuation = null;
        do {
            Page<Row> page = source.tables().query(table, range, TableStore.MAX_PAGE, continuation);
            if (!page.items().isEmpty()) {
                write(table, page.items());
                progress.advanceTo(Position.afterRow(
                        table, page.items().get(page.items().size() - 1).key()));
            }
            continuation = page.continuation();
        } while (continuation != null);
    }

    private void write(String table, List<Row> rows) {
        Map<String, List<Write>> partitions = new LinkedHashMap<>();
        for (Row row : rows) {
            Selection.of(table, row).ifPresent(values -> partitions
                    .computeIfAbsent(row.key().partition(), partition -> new ArrayList<>())
                    .add(Write.upsert(row.rowKey(), values)));
        }
        partitions.forEach(
                (partition, writes) -> BatchBudget.divide(partition, TableStore.MAX_BATCH, writes, write -> write)
                        .forEach(batch -> target.tables().write(table, partition, batch)));
    }

    /** Lists all blobs and skips those that are already copied, because a listing cannot begin in the middle. */
    private void copyBlobs(String container, CopyProgress progress) {
        Position after = progress.position();
        String done = after.isIn(Stage.BLOBS, container) ? after.row() : "";
        int blobs = 0;
        long bytes = 0;
        for (BlobInfo blob : (Iterable<BlobInfo>) source.blobs().stream(container, "")::iterator) {
            if (blob.name().compareTo(done) > 0) {
                copy(container, blob.name());
                blobs++;
                bytes += blob.size();
            }
            if (blobs >= BLOBS_PER_CHECKPOINT || bytes >= BYTES_PER_CHECKPOINT) {
                progress.advanceTo(Position.afterBlob(container, blob.name()));
                blobs = 0;
                bytes = 0;
            }
        }
    }

    private void copy(String container, String name) {
        Optional<OpenBlob> open = source.blobs().open(container, name);
        if (open.isEmpty()) {
            return;
        }
        try (var content = open.get().content()) {
            target.blobs().put(container, name, content, BlobStore.ALWAYS);
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Reason.UNAVAILABLE, "blob " + container + "/" + name + " broke off", e);
        }
    }

    /**
     * Moves all visible items of queues, one by one. Each item is put into the target before it is deleted from the
     * source, so it may arrive twice but is never lost. An item of another program that is larger than ours can be
     * stays in the source.
     *
     * @return the approximate number of items that are left because they are hidden for a while
     */
    long move(Storage.Inventory inventory) {
        return inventory.queues().stream().mapToLong(this::move).sum();
    }

    private long move(String queue) {
        Set<String> tooLarge = new HashSet<>();
        List<QueueItem> items = source.queues().receive(queue, QueueStore.MAX_RECEIVE, HIDDEN);
        while (!items.isEmpty()) {
            for (QueueItem item : items) {
                if (item.text().getBytes(StandardCharsets.UTF_8).length > QueueStore.MAX_TEXT_BYTES) {
                    if (tooLarge.add(item.id())) {
                        LOG.warn(
                                "item {} of {} was not put there by this service, is too large, and stays",
                                item.id(),
                                queue);
                    }
                    continue;
                }
                target.queues().send(queue, item.text());
                source.queues().delete(queue, item);
            }
            items = source.queues().receive(queue, QueueStore.MAX_RECEIVE, HIDDEN);
        }
        return Math.max(0, source.queues().approximateCount(queue) - tooLarge.size());
    }

    /**
     * Selects the parts of a row that have a meaning in another storage. Rows of processes and of the copy itself are
     * left behind, and leases are copied without their holders. Failure counts are left behind, too, because they refer
     * to ids of queue items, which differ in the target.
     */
    static final class Selection {

        private static final Set<String> NOT_COPIED = Set.of(CopyMarks.PARTITION, "instance");
        private static final String FAILURES = "tries.";
        private static final String LEASES = "lease";

        private Selection() {}

        /** Returns the values to copy; empty if the row is left behind. */
        static Optional<Values> of(String table, Row row) {
            String partition = row.key().partition();
            if (!table.equals(CopyMarks.TABLE)) {
                return Optional.of(row.values());
            }
            if (NOT_COPIED.contains(partition) || partition.startsWith(FAILURES)) {
                return Optional.empty();
            }
            return Optional.of(
                    partition.equals(LEASES) ? row.values().with("Owner", null).with("EndsAt", null) : row.values());
        }
    }
}
