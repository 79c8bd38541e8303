package org.azuremail.storage;

/**
 * The three ports of one back end, chosen once at start-up. Calls that break a port's limits are refused here, the same for every
 * back end, before it sees anything.
 */
public record Storage(TableStore tables, QueueStore queues, BlobStore blobs) {

    public Storage {
        tables = CheckedTables.of(tables);
        queues = CheckedQueues.of(queues);
        blobs = CheckedBlobs.of(blobs);
    }
}
