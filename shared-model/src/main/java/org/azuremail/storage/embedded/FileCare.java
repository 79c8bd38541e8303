package org.azuremail.storage.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the file now and then, between two commits: gives free pages back to the system, and shortens a log that
 * readers kept from being reused. Everybody's commits wait meanwhile, so it hardly waits for anybody itself: where a long
 * read, as a backup's, still needs the log, the next look shortens it.
 */
final class FileCare {

    private static final Logger LOG = LoggerFactory.getLogger(FileCare.class);
    private static final int GROUPS_BETWEEN_LOOKS = 256;
    private static final long LARGE_LOG_BYTES = 256L * 1024 * 1024;
    private static final int MANY_FREE_PAGES = 4096;
    static final int PAGES_GIVEN_BACK_AT_ONCE = 512;

    /** The product's own reads are over sooner. */
    private static final int WAIT_FOR_READS_MILLIS = 100;

    private final DataFile file;
    private int groups;

    FileCare(DataFile file) {
        this.file = file;
    }

    void afterCommit(Session session) {
        if (++groups % GROUPS_BETWEEN_LOOKS != 0) {
            return;
        }
        try {
            if (session.number(0, "PRAGMA freelist_count") > MANY_FREE_PAGES) {
                giveBack(session);
            }
            if (Files.exists(file.log()) && Files.size(file.log()) > LARGE_LOG_BYTES) {
                shorten(session);
            }
        } catch (SQLException | IOException e) {
            LOG.debug("Looking after the file failed", e);
        }
    }

    void giveBack(Session session) throws SQLException {
        session.executeWhole("PRAGMA incremental_vacuum(" + PAGES_GIVEN_BACK_AT_ONCE + ")");
    }

    /** @return false when somebody still reads what is in the log */
    boolean shorten(Session session) throws SQLException {
        session.execute("PRAGMA busy_timeout = " + WAIT_FOR_READS_MILLIS);
        try {
            return session.number(1, "PRAGMA wal_checkpoint(TRUNCATE)") == 0;
        } finally {
            session.execute("PRAGMA busy_timeout = " + DataFile.BUSY_TIMEOUT_MILLIS);
        }
    }
}
