package org.azuremail.storage.embedded;

import java.nio.file.Path;
import java.sql.SQLException;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.time.Time;

/**
 * Everything in one SQLite file, {@code azuremail.db}. What a call acknowledged is on the disk: it survives a kill and a
 * loss of power. Safe for use from many threads; several processes of one machine may open the same file, which is
 * correct but not faster. The file must lie on a local disk, not on a network share.
 */
public final class EmbeddedStorage implements AutoCloseable {

    private final DataFile file;
    private final Writer writer;
    private final Readers readers;
    private final Storage storage;

    private EmbeddedStorage(DataFile file, Session writing, Time time) {
        this.file = file;
        this.writer = new Writer(file, writing, time);
        this.readers = new Readers(file);
        BlobStaging staging = new BlobStaging(writer, time);
        this.storage = new Storage(
                new EmbeddedTables(writer, readers),
                new EmbeddedQueues(writer, readers, time),
                new EmbeddedBlobs(writer, readers, staging, new BlobPointers(time)));
        staging.collectAbandoned();
    }

    /**
     * Opens the storage in a directory; both are made when they do not exist, and a file of an older version is brought
     * up to date.
     *
     * @throws StorageException DENIED when the directory cannot be written; CORRUPT when the file is damaged, not ours,
     *     or written by a newer version. The message says what to do
     */
    public static EmbeddedStorage open(Path directory, Time time) {
        return open(directory, time, Schema.CURRENT);
    }

    static EmbeddedStorage open(Path directory, Time time, Schema schema) {
        DataFile file = DataFile.in(directory);
        return new EmbeddedStorage(file, file.openWriter(schema), time);
    }

    public Storage storage() {
        return storage;
    }

    public TableStore tables() {
        return storage.tables();
    }

    public QueueStore queues() {
        return storage.queues();
    }

    public BlobStore blobs() {
        return storage.blobs();
    }

    /** The file in which everything is. */
    public Path path() {
        return file.path();
    }

    /**
     * Finishes what was begun and closes the file; calls that come later throw. Also when the calling thread is
     * interrupted.
     */
    @Override
    public void close() {
        writer.close();
        try {
            readers.close();
        } catch (SQLException e) {
            throw SqliteErrors.translate("closing " + file.path(), e);
        }
    }
}
