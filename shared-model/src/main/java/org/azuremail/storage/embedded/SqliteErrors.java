package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.sqlite.SQLiteErrorCode;

/** Says what SQLite's errors mean to users of the ports. */
final class SqliteErrors {

    private static final int PRIMARY_CODE = 0xFF;

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

    static Reason reason(SQLException e) {
        int code = e.getErrorCode() & PRIMARY_CODE;
        if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
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
