package org.azuremail.storage;

/** The three ports of one back end, chosen once at start-up. */
public record Storage(TableStore tables, QueueStore queues, BlobStore blobs) {}
