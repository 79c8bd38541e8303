package org.azuremail.storage.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.TreeSet;
import org.azuremail.storage.CommitHealth;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;

/**
 * A storage in one SQLite file, {@code azuremail.db}. An acknowledged change is on disk, so it survives a kill and a
 * loss of power. Safe for use by many threads. Several processes on one machine may open the same file, which is
 * correct but not faster. The file must be on a local disk, not on a network share.
 */
public final class EmbeddedStorage implements AutoCloseable {

    private final DataFile file;
    private final Time time;
    private final Writer writer;
    private final Readers readers;
    private final Storage storage;

    private EmbeddedStorage(DataFile file, Schema schema, Time time) {
        this.file = file;
        this.time = time;
        this.writer = new Writer(file, schema, time);
        this.readers = new Readers(file);
        this.storage = new Storage(
                new EmbeddedTables(writer, readers),
                new EmbeddedQueues(writer, readers, time),
                new EmbeddedBlobs(writer, readers, time));
    }

    /**
     * Opens the storage in a directory. Creates both if they do not exist, and upgrades a file of an older version.
     *
     * @throws StorageException DENIED if the directory cannot be written; CORRUPT if the file is damaged, belongs to
     *     another program or was written by a newer version. The message says what to do
     */
    public static EmbeddedStorage open(Path directory, Time time) {
        return open(directory, time, Schema.CURRENT);
    }

    static EmbeddedStorage open(Path directory, Time time, Schema schema) {
        return new EmbeddedStorage(DataFile.in(directory), schema, time);
    }

    public Storage storage() {
        return storage;
    }

    public Path path() {
        return file.path();
    }

    /**
     * Writes a consistent copy of all acknowledged changes while others continue to write. The copy is itself a data
     * file, and gets its name only when it is complete.
     *
     * @throws StorageException DENIED if the target exists; another reason if the copy cannot be written, for example
     *     because the disk is full
     */
    public void backup(Path target) {
        Backup.copy(file, target, time);
    }

    public Storage.Inventory inventory() {
        String tables = "SELECT substr(name, 3) FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 2) = ?";
        return readers.read(
                "list what is stored",
                session -> new Storage.Inventory(
                        names(session, tables, ExistingNames.TABLES),
                        names(session, tables, ExistingNames.QUEUES),
                        names(session, "SELECT name FROM container")));
    }

    private static TreeSet<String> names(Session session, String sql, Object... arguments) throws SQLException {
        return new TreeSet<>(session.list(result -> result.getString(1), sql, arguments));
    }

    /** Returns whether a data file exists in a directory. Creates nothing. */
    public static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(DataFile.NAME));
    }

    /** Returns the mark that shows whether this file was restored from a backup. */
    public RestoredBackup restoredBackup() {
        return new Backup(writer, readers);
    }

    public CommitHealth commitHealth() {
        return writer::failing;
    }

    /**
     * Finishes the calls under way and closes the file, even if the calling thread is interrupted. Later calls throw.
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
