package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.sqlite.SQLiteErrorCode;

/** Says what SQLite's errors mean to users of the ports. */
final class SqliteErrors {

    private static final int PRIMARY_CODE = 0xFF;
    private static final int BEGINNINGS = 3;

    private SqliteErrors() {}

    static StorageException translate(String about, SQLException e) {
        Reason reason = reason(e);
        String hint =
                switch (reason) {
                    case THROTTLED -> ": another process keeps the data file busy";
                    case DENIED -> ": the data file or its directory cannot be written";
                    case CORRUPT -> ": the data file is damaged, restore a backup";
                    default -> "";
                };
        return new StorageException(reason, about + hint + ": " + e.getMessage(), e);
    }

    /**
     * Does what begins a transaction. SQLite itself waits for locks, but for a log that is being shortened only some ten seconds
     * (SQLITE_PROTOCOL); nothing has begun then, so it is tried again.
     */
    static <T> T begin(Beginning<T> beginning) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return beginning.run();
            } catch (SQLException e) {
                if (attempt == BEGINNINGS
                        || (e.getErrorCode() & PRIMARY_CODE) != SQLiteErrorCode.SQLITE_PROTOCOL.code) {
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
        int code = e.getErrorCode() & PRIMARY_CODE;
        if (code == SQLiteErrorCode.SQLITE_BUSY.code
                || code == SQLiteErrorCode.SQLITE_LOCKED.code
                || code == SQLiteErrorCode.SQLITE_PROTOCOL.code) {
            return Reason.THROTTLED;
        }
        if (code == SQLiteErrorCode.SQLITE_FULL.code || code == SQLiteErrorCode.SQLITE_IOERR.code) {
            return Reason.UNAVAILABLE;
        }
        if (code == SQLiteErrorCode.SQLITE_READONLY.code
                || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
                || code == SQLiteErrorCode.SQLITE_PERM.code) {
            return Reason.DENIED;
        }
        boolean damaged = code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code;
        return damaged ? Reason.CORRUPT : Reason.UNKNOWN;
    }
}
