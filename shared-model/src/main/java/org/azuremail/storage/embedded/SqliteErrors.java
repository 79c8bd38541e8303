package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;

/** Translates SQLite's errors into exceptions of the ports. */
final class SqliteErrors {

    private static final int PRIMARY_CODE = 0xFF;
    private static final int MAX_ATTEMPTS = 3;

    private static final String NO_LIBRARY = ": the library of SQLite cannot be loaded from "
            + System.getProperty("java.io.tmpdir")
            + ". The file system may be mounted with noexec, be full or be read-only. Correct this, or name another"
            + " directory with -Djava.io.tmpdir=...";

    private SqliteErrors() {}

    static StorageException translate(String about, SQLException e) {
        if (e.getCause() instanceof NativeLibraryNotFoundException) {
            return new StorageException(Reason.DENIED, about + NO_LIBRARY, e);
        }
        Reason reason = reason(e);
        String hint =
                switch (reason) {
                    case THROTTLED -> ": another process keeps the data file busy";
                    case DENIED ->
                        ": this user cannot write the data file, the files beside it (-wal, -shm) or their"
                                + " directory; give it the right to, or set azuremail.data-dir";
                    case UNAVAILABLE -> ": the disk is full or fails";
                    case CORRUPT -> ": the data file is damaged, restore a backup";
                    default -> "";
                };
        return new StorageException(reason, about + hint + ": " + e.getMessage(), e);
    }

    /**
     * Begins a transaction. SQLite itself waits for locks, but it waits only about ten seconds for a log that is being
     * truncated (SQLITE_PROTOCOL). No transaction has begun then, so this method tries again.
     */
    static <T> T begin(Beginning<T> beginning) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return beginning.run();
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || code(e) != SQLiteErrorCode.SQLITE_PROTOCOL) {
                    throw e;
                }
            }
        }
    }

    /** A read, or the statement that begins a write. */
    interface Beginning<T> {
        T run() throws SQLException;
    }

    static Reason reason(SQLException e) {
        return switch (code(e)) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL -> Reason.THROTTLED;
            case SQLITE_FULL, SQLITE_IOERR -> Reason.UNAVAILABLE;
            case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM -> Reason.DENIED;
            case SQLITE_CORRUPT, SQLITE_NOTADB -> Reason.CORRUPT;
            default -> Reason.UNKNOWN;
        };
    }

    private static SQLiteErrorCode code(SQLException e) {
        return SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY_CODE);
    }
}
