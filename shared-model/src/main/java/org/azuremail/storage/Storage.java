package org.azuremail.storage;

/**
 * The three ports of one back end, chosen once at start-up. It refuses calls that break a port's limits, the same for every back
 * end, before the back end sees them.
 */
public record Storage(TableStore tables, QueueStore queues, BlobStore blobs) {

    public Storage {
        tables = tables instanceof CheckedTables ? tables : CheckedTables.of(tables, null);
        queues = queues instanceof CheckedQueues ? queues : CheckedQueues.of(queues, null);
        blobs = blobs instanceof CheckedBlobs ? blobs : CheckedBlobs.of(blobs, null);
    }
}
