package org.azuremail.storage.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the file regularly, between two commits: returns free pages to the operating system, and truncates a log
 * that grew because readers kept SQLite from reusing it. All commits wait meanwhile, so this class waits for readers
 * only briefly. If a long read, such as a backup, still needs the log, a later round truncates it.
 */
final class FileMaintenance {

    private static final Logger LOG = LoggerFactory.getLogger(FileMaintenance.class);
    private static final int COMMITS_BETWEEN_ROUNDS = 256;
    private static final long LARGE_LOG_BYTES = 256L * 1024 * 1024;
    private static final int MANY_FREE_PAGES = 4096;
    static final int MAX_RELEASED_PAGES = 512;

    /** The longest wait for readers, in milliseconds. The product's own reads are shorter. */
    private static final int WAIT_FOR_READS_MILLIS = 100;

    private final DataFile file;
    private int commits;

    FileMaintenance(DataFile file) {
        this.file = file;
    }

    void afterCommit(Session session) {
        if (++commits % COMMITS_BETWEEN_ROUNDS != 0) {
            return;
        }
        try {
            if (session.number(0, "PRAGMA freelist_count") > MANY_FREE_PAGES) {
                releaseFreePages(session);
            }
            if (Files.exists(file.log()) && Files.size(file.log()) > LARGE_LOG_BYTES) {
                truncateLog(session);
            }
        } catch (SQLException | IOException e) {
            LOG.debug("Maintaining the file failed", e);
        }
    }

    void releaseFreePages(Session session) throws SQLException {
        session.executeWhole("PRAGMA incremental_vacuum(" + MAX_RELEASED_PAGES + ")");
    }

    /** @return false if a reader still needs the log */
    boolean truncateLog(Session session) throws SQLException {
        session.execute("PRAGMA busy_timeout = " + WAIT_FOR_READS_MILLIS);
        try {
            return session.number(1, "PRAGMA wal_checkpoint(TRUNCATE)") == 0;
        } finally {
            session.execute("PRAGMA busy_timeout = " + DataFile.BUSY_TIMEOUT_MILLIS);
        }
    }
}
