package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.util.List;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;

/**
 * The schema of the file and its upgrades. Tables and queues that are created on demand are not part of it. Each
 * upgrade step and its number are written in one transaction, so that an interrupted upgrade continues where it
 * stopped.
 */
record Schema(List<List<String>> steps) {

    /** The ASCII characters {@code azml}. They distinguish our files from other SQLite files. */
    static final int APPLICATION_ID = 0x617A6D6C;

    private static final List<String> FIRST = List.of(
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE TABLE container (name TEXT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TABLE blob (container TEXT, name TEXT, etag INTEGER NOT NULL, size INTEGER NOT NULL,"
                    + " modified INTEGER NOT NULL, content INTEGER NOT NULL, PRIMARY KEY (container, name)) WITHOUT ROWID",
            "CREATE TABLE blob_chunk (content INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,"
                    + " UNIQUE (content, number))",
            "CREATE TABLE blob_staging (content INTEGER PRIMARY KEY, touched INTEGER NOT NULL)");

    /** Changes nothing. This step keeps programs that cannot read {@link ShortNames} from opening the file. */
    private static final List<String> SHORT_NAMES = List.of();

    /**
     * Changes nothing. This step keeps programs that do not check the format of {@code org.azuremail.storage.version}
     * from opening a file with rows of format 2.
     */
    private static final List<String> FORMATS = List.of();

    /** The schema of this program. A released step never changes, and new steps are appended. */
    static final Schema CURRENT = new Schema(List.of(FIRST, SHORT_NAMES, FORMATS));

    /**
     * Upgrades a file to this schema.
     *
     * @throws StorageException CORRUPT if the file belongs to another program or is newer than this program
     */
    void upgrade(Session session, String file) throws SQLException {
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
            // No transaction was open: it was committed, or SQLite rolled it back by itself.
            return;
        }
    }
}
