package org.azuremail.storage.embedded;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the wall clock was set back, while the service runs or before it starts, and makes the waiting items of
 * all queues visible earlier by the same amount. Otherwise, all items that were received or delayed under the wrong
 * clock would stay hidden until the clock reaches that time again, often for hours. For example, a machine may mistake
 * local time for UTC until its network is available. An item that becomes visible too early is delivered once more,
 * which does no harm.
 */
final class ClockRollback {

    private static final Logger LOG = LoggerFactory.getLogger(ClockRollback.class);

    /** The smallest step back that is corrected. A gradual adjustment of the clock is smaller between two commits. */
    private static final Duration NOTICED = Duration.ofSeconds(10);

    /**
     * The name of the entry with the number of the last commit before the latest correction. Later commits count on
     * from this number until the clock has caught up. Without this entry, they would look like another step back.
     */
    private static final String CORRECTED = "clock";

    private final Time time;

    /**
     * The wall-clock time minus the elapsed time, as of the last commit. It changes only when the wall clock is set.
     */
    private Duration offset;

    private Duration nextOffset;

    ClockRollback(Time time) {
        this.time = time;
        this.offset = currentOffset();
        this.nextOffset = offset;
    }

    private Duration currentOffset() {
        return Duration.between(Instant.EPOCH, time.instant()).minus(time.elapsed());
    }

    /**
     * Compares the clock with the last commit. Called inside a transaction when the file is opened.
     *
     * @param last the number of the last commit, which is its time in microseconds if the clock was never set back
     */
    void compare(Session session, long last) throws SQLException {
        offset = currentOffset();
        nextOffset = offset;
        long now = ValueCodec.micros(time.instant());
        long corrected = session.number(0, "SELECT value FROM meta WHERE name = ?", CORRECTED);
        if (last - Math.max(now, corrected) > micros(NOTICED)) {
            correct(session, last - now, last);
        }
    }

    /**
     * Checks the clock at the beginning of each transaction, before anything else.
     *
     * @param number the number of the last commit
     */
    void begin(Session session, long number) throws SQLException {
        nextOffset = currentOffset();
        Duration back = offset.minus(nextOffset);
        if (back.compareTo(NOTICED) > 0) {
            correct(session, micros(back), number);
        }
    }

    /** Keeps the clock setting that was read in {@link #begin}, because the transaction is durable. */
    void committed() {
        offset = nextOffset;
    }

    private void correct(Session session, long back, long number) throws SQLException {
        long now = ValueCodec.micros(time.instant());
        LOG.warn(
                "The clock was set back by {} s: items that waited for a later time wait as much less",
                back / 1_000_000);
        String queues = "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 2) = ?";
        for (String queue : session.list(result -> result.getString(1), queues, ExistingNames.QUEUES)) {
            session.update(
                    "UPDATE \"" + queue
                            + "\" SET visible = max(?, visible - ?), inserted = min(?, inserted) WHERE visible > ?",
                    now,
                    back,
                    now,
                    now);
        }
        session.update("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", CORRECTED, number);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
