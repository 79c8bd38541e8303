package org.azuremail.storage.embedded;

import java.sql.SQLException;
import org.azuremail.time.Time;

/**
 * A source of numbers for ETags, item ids and receipts. No number is issued twice for one file, not even by different
 * processes. A process takes numbers in blocks, under the file's write lock, from a counter in the file. A block begins
 * no lower than a number derived from the clock, so that numbers do not recur if the file is replaced by an older copy.
 */
final class Sequence {

    private static final String NAME = "sequence";
    private static final long BLOCK = 1L << 20;
    private static final int BITS_PER_MILLISECOND = 20;

    /** A number that is never issued. */
    private static final long NEVER = -1;

    private final Time time;
    private long next;
    private long end;

    Sequence(Time time) {
        this.time = time;
    }

    /** Takes a new block at the beginning of a transaction, unless enough numbers are left for any transaction. */
    void reserve(Session session) throws SQLException {
        if (end - next >= BLOCK / 2) {
            return;
        }
        long stored = session.number(0, "SELECT value FROM meta WHERE name = ?", NAME);
        next = Math.max(stored, time.instant().toEpochMilli() << BITS_PER_MILLISECOND);
        end = next + BLOCK;
        session.update("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", NAME, end);
    }

    /** Discards the reserved numbers, because the transaction that reserved them may not have been committed. */
    void forget() {
        end = next;
    }

    long next() {
        if (next == end) {
            throw new IllegalStateException("more numbers taken than were reserved");
        }
        return next++;
    }

    /** Returns a number as an ETag, an id or a receipt. */
    static String text(long number) {
        return Long.toString(number);
    }

    /** Returns the number of an ETag, an id or a receipt. A text that is not a number matches nothing. */
    static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return NEVER;
        }
    }
}
