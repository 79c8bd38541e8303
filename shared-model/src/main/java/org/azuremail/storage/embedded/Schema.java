package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.util.List;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/**
 * The schema of the file besides the tables and queues that are created on demand, and its upgrades:
 * one transaction for each step, its number in the same transaction, so that an interrupted upgrade continues where it stopped.
 */
record Schema(List<List<String>> steps) {

    /** "azml": distinguishes our files from other SQLite files. */
    static final int APPLICATION_ID = 0x617A6D6C;

    private static final List<String> FIRST = List.of(
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE TABLE container (name TEXT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE blob (container TEXT, name TEXT, etag INTEGER NOT NULL, size INTEGER NOT NULL,"
                    + " modified INTEGER NOT NULL, content INTEGER NOT NULL, PRIMARY KEY (container, name)) WITHOUT ROWID",
            "CREATE TABLE blob_chunk (content INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,"
                    + " UNIQUE (content, number))",
            "CREATE TABLE blob_staging (content INTEGER PRIMARY KEY, touched INTEGER NOT NULL)");

    /** Rows with {@link ShortNames} may follow: a program that cannot read them must not open the file. */
    private static final List<String> SHORT_NAMES = List.of();

    /** Rows of {@code org.azuremail.storage.version}'s format 2 follow: programs that do not know formats only check this number. */
    private static final List<String> FORMATS = List.of();

    /** The schema of this program. A step that was ever released is never changed; new ones follow it. */
    static final Schema CURRENT = new Schema(List.of(FIRST, SHORT_NAMES, FORMATS));

    /**
     * Brings a file up to this schema.
     *
     * @throws StorageException CORRUPT when the file is not ours or newer than this program
     */
    void bringUpToDate(Session session, String file) throws SQLException {
        while (true) {
            session.execute("BEGIN IMMEDIATE");
            try {
                int version = requireOurs(session, file);
                if (version == steps.size()) {
                    return;
                }
                for (String statement : steps.get(version)) {
                    session.execute(statement);
                }
                session.execute("PRAGMA application_id = " + APPLICATION_ID);
                session.execute("PRAGMA user_version = " + (version + 1));
                session.execute("COMMIT");
            } finally {
                rollBackWhatIsOpen(session);
            }
        }
    }

    private int requireOurs(Session session, String file) throws SQLException {
        int version = (int) session.number(0, "PRAGMA user_version");
        boolean ours = session.number(0, "PRAGMA application_id") == APPLICATION_ID;
        if (!ours && session.exists("SELECT 1 FROM sqlite_schema")) {
            throw new StorageException(
                    Reason.CORRUPT,
                    file + " is an SQLite file of another program: move it away, or set azuremail.data-dir",
                    null);
        }
        if (version > steps.size()) {
            throw new StorageException(
                    Reason.CORRUPT,
                    file + " was written by a newer version of AzureMail (its schema is " + version
                            + ", this program knows " + steps.size()
                            + "): start that version, or restore a backup that was made before the upgrade",
                    null);
        }
        return version;
    }

    private static void rollBackWhatIsOpen(Session session) {
        try {
            session.execute("ROLLBACK");
        } catch (SQLException e) {
            // Nothing was open: it was committed, or SQLite rolled it back by itself.
            return;
        }
    }
}
