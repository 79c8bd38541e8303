package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.time.Time;

/**
 * Numbers that are never given twice for one file, over all processes: ETags, item ids, receipts. A process takes them in
 * blocks, under the file's write lock, from a counter in the file. A block begins no lower than the clock says, so that
 * numbers do not return when an older copy of the file is put back.
 */
final class Sequence {

    private static final String NAME = "sequence";
    private static final long BLOCK = 1L << 20;
    private static final int BITS_PER_MILLISECOND = 20;

    private final Time time;
    private long next;
    private long end;

    Sequence(Time time) {
        this.time = time;
    }

    /** Makes sure, at the beginning of a transaction, that so many numbers are there. */
    void reserve(Session session, long count) throws SQLException {
        if (end - next >= count) {
            return;
        }
        long stored = session.number(0, "SELECT value FROM meta WHERE name = ?", NAME);
        next = Math.max(stored, time.instant().toEpochMilli() << BITS_PER_MILLISECOND);
        end = next + Math.max(BLOCK, count);
        session.update("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", NAME, end);
    }

    /** The transaction that reserved may not have happened: take a new block before the next number. */
    void forget() {
        end = next;
    }

    long next() {
        if (next == end) {
            throw new IllegalStateException("more numbers taken than were reserved");
        }
        return next++;
    }
}
