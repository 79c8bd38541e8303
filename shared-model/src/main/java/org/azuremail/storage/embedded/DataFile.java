package org.azuremail.storage.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.azuremail.app.OwnerOnlyFiles;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** The data file {@code azuremail.db}, and how connections to it are opened. */
record DataFile(Path path) {

    static final String NAME = "azuremail.db";

    /** The longest wait of a connection for a lock, in milliseconds. */
    static final int BUSY_TIMEOUT_MILLIS = 30_000;

    private static final int WRITER_CACHE_KIB = 32 * 1024;
    private static final int READER_CACHE_KIB = 4 * 1024;

    static DataFile in(Path directory) {
        try {
            OwnerOnlyFiles.createDirectory(directory);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        if (!Files.isWritable(directory)) {
            throw unwritable(directory, null);
        }
        return new DataFile(directory.toAbsolutePath().normalize().resolve(NAME));
    }

    private static StorageException unwritable(Path directory, @Nullable Exception e) {
        return new StorageException(
                Reason.DENIED,
                "the data directory " + directory.toAbsolutePath()
                        + " cannot be created or written: give this user the right to, or set azuremail.data-dir",
                e);
    }

    /** Returns the write-ahead log beside the file. It keeps commits until a checkpoint. */
    Path log() {
        return path.resolveSibling(NAME + "-wal");
    }

    /** Opens the connection that writes. Creates or upgrades the file first. */
    Session openWriter(Schema schema) {
        try {
            createForOwnerOnly();
            Session session = open(path);
            try {
                // Takes effect only before the first table is created, and must run before the log is switched on.
                session.execute("PRAGMA auto_vacuum = INCREMENTAL");
                session.execute("PRAGMA journal_mode = WAL");
                session.execute("PRAGMA synchronous = FULL");
                session.execute("PRAGMA fullfsync = ON");
                session.execute("PRAGMA wal_autocheckpoint = 4000");
                // Overwrites deleted rows where the page is written anyway; ON would also write each page that becomes
                // free.
                session.execute("PRAGMA secure_delete = FAST");
                session.execute("PRAGMA journal_size_limit = " + 64 * 1024 * 1024);
                session.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
                schema.upgrade(session, path.toString());
                return session;
            } catch (SQLException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw cannotOpen(e);
        } catch (IOException e) {
            throw unwritable(path, e);
        }
    }

    /** Creates the file for its owner only. SQLite gives the files that it creates beside it the same permissions. */
    private void createForOwnerOnly() throws IOException {
        try {
            OwnerOnlyFiles.createFile(path);
        } catch (FileAlreadyExistsException another) {
            for (String suffix : List.of("", "-wal", "-shm")) {
                OwnerOnlyFiles.tighten(path.resolveSibling(NAME + suffix));
            }
        }
    }

    Session openReader() throws SQLException {
        Session session = open(path);
        session.execute("PRAGMA query_only = ON");
        session.execute("PRAGMA cache_size = -" + READER_CACHE_KIB);
        return session;
    }

    /** Opens a file as it is, without upgrading it. */
    static Session open(Path path) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.setGetGeneratedKeys(false);
        return new Session(config.createConnection("jdbc:sqlite:" + path));
    }

    private StorageException cannotOpen(SQLException e) {
        if (SqliteErrors.reason(e) == Reason.CORRUPT) {
            return new StorageException(
                    Reason.CORRUPT,
                    path + " is damaged or not a data file of AzureMail: restore a backup, move it away,"
                            + " or set azuremail.data-dir",
                    e);
        }
        return SqliteErrors.translate("opening " + path, e);
    }
}
