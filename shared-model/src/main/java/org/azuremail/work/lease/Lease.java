package org.azuremail.work.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.version.StoreGate;
import org.jspecify.annotations.Nullable;

/**
 * A lease that was acquired. Call {@link #held()} before each step that only the holder may take, and {@link #renew} in
 * time. A process that lost the lease finds the row changed and cannot renew it. Safe for use from many threads.
 */
public final class Lease {

    static final String LAST_RUN = "LastRun";
    static final String UNREPORTED_RUNS = "UntoldRuns";

    private final Leases leases;
    private final String name;
    private final long epoch;
    private Row row;
    private Leases.Term term;
    private boolean over;

    Lease(Leases leases, String name, Row row, Leases.Term term) {
        this.leases = leases;
        this.name = name;
        this.epoch = row.values().number(Leases.EPOCH, 0);
        this.row = row;
        this.term = term;
    }

    public String name() {
        return name;
    }

    /** Returns a number that grows with every new owner of this name. */
    public long epoch() {
        return epoch;
    }

    /**
     * Returns whether this process certainly still holds the lease: it is neither lost nor released nor within {@link
     * Leases#EARLY} of its end.
     */
    public synchronized boolean held() {
        return !over && term.lasts(leases.time());
    }

    /**
     * Moves the end of the lease. Also revives a lease that ran out if no other process took it.
     *
     * @param duration the new duration, counted from now
     * @return false if the lease is lost or released, or if a newer program has upgraded the storage
     * @throws org.azuremail.storage.StorageException if the outcome is unknown; {@link #held()} then uses the previous
     *     end
     */
    public synchronized boolean renew(Duration duration) {
        return renew(duration, lastRun(), unreportedRuns());
    }

    /**
     * Renews like {@link #renew(Duration)}. Also stores when the last run began, and whether more runs may begin
     * without being recorded until the lease ends.
     */
    public synchronized boolean renew(Duration duration, @Nullable Instant lastRun, boolean unreportedRuns) {
        if (over || !leases.gate().isOpen(StoreGate.IDLE)) {
            return false;
        }
        Leases.Term next = Leases.Term.from(leases.time(), duration);
        Values written = row.values().toBuilder()
                .put(Leases.ENDS_AT, next.endsAt())
                .put(LAST_RUN, lastRun)
                .put(UNREPORTED_RUNS, unreportedRuns ? true : null)
                .build();
        for (int attempt = 0; attempt < 2; attempt++) {
            Optional<Row> now = leases.write(name, row, written);
            over = now.isEmpty();
            if (over) {
                return false;
            }
            row = now.get();
            if (row.values().equals(written)) {
                term = next;
                return true;
            }
        }
        return false;
    }

    /**
     * Releases the lease, so that others can take it immediately. Does nothing if the lease is lost. If the storage is
     * out of reach, the lease ends by itself.
     */
    public void release() {
        release(lastRun());
    }

    /** Releases like {@link #release()}, and stores when the last run began. */
    public synchronized void release(@Nullable Instant lastRun) {
        if (!over) {
            over = true;
            leases.free(row, lastRun);
        }
    }

    public synchronized boolean unreportedRuns() {
        return row.values().bool(UNREPORTED_RUNS, false);
    }

    /** Returns the latest moment at which a run may have begun under a lease of this row. */
    public static @Nullable Instant latestPossibleRun(Values values) {
        Instant reported = reportedRun(values);
        Instant end = values.instant(Leases.ENDS_AT);
        boolean unreported = values.bool(UNREPORTED_RUNS, false) && values.string(Leases.OWNER) != null;
        Instant latest = unreported && end != null ? end.minus(Leases.EARLY) : reported;
        return reported != null && latest != null && reported.isAfter(latest) ? reported : latest;
    }

    /** Returns the beginning of the last run that is recorded in the row. */
    public static @Nullable Instant reportedRun(Values values) {
        return values.instant(LAST_RUN);
    }

    synchronized @Nullable Instant lastRun() {
        return reportedRun(row.values());
    }
}
