package org.azuremail.work.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Leases across all instances. If many instances ask for a name, one of them gets it until it is released or ends. A
 * row in table {@code work} holds the owner's nonce, an epoch that grows with every new owner, and the end. It is
 * changed under its ETag only.
 *
 * <p>Clocks of different hosts may differ by up to a minute. The holder treats its own lease as ended {@link #EARLY}
 * before the end, by the stricter of wall and monotonic clock. Others treat it as ended only after a grace period that
 * the settings give: a minute between hosts, zero on one machine. If all processes share a machine, the lease of a
 * process that has ended is free immediately.
 *
 * <p>A lease does not fence writes to other rows: those need their own ETag or the {@link Lease#epoch()}. Safe for use
 * from many threads and processes.
 */
public final class Leases {

    /** The duration of a lease while its holder has something to do. */
    public static final Duration ACTIVE = Duration.ofSeconds(30);

    /** The duration of a lease while its holder only checks for work now and then. */
    public static final Duration IDLE = Duration.ofSeconds(180);

    /** The time before a lease's end at which its holder treats it as ended. */
    public static final Duration EARLY = Duration.ofSeconds(5);

    static final String OWNER = "Owner";
    static final String EPOCH = "Epoch";
    static final String ENDS_AT = "EndsAt";

    private static final String PARTITION = "lease";

    private final Table table;
    private final Time time;
    private final Holders holders;
    private final Duration foreignGrace;
    private final StoreGate gate;

    /**
     * @param foreignGrace how long another holder's lease still counts after its end: the most that two hosts' clocks
     *     differ
     */
    public Leases(Storage storage, Time time, Holders holders, Duration foreignGrace, StoreGate gate) {
        this.table = new Table(storage.tables(), "work");
        this.time = time;
        this.holders = holders;
        this.foreignGrace = foreignGrace;
        this.gate = gate;
    }

    /**
     * Takes a lease that is free, released or over.
     *
     * @param name a name that is unique across all kinds of leases
     * @param duration the time until the lease ends unless it is renewed; more than {@link #EARLY}
     * @return empty if another holder has the lease or was faster, or if a newer program has upgraded the storage
     * @throws StorageException if the outcome is unknown; if the lease was taken after all, it ends by itself
     */
    public Optional<Lease> acquire(String name, Duration duration) {
        Optional<Row> row = read(name);
        return acquire(
                name,
                duration,
                row,
                row.map(Row::values).map(Lease::latestPossibleRun).orElse(null),
                false);
    }

    /**
     * Acquires like {@link #acquire(String, Duration)} with a row that was read already, and stores when a run begins.
     */
    public Optional<Lease> acquire(
            String name, Duration duration, Optional<Row> row, @Nullable Instant lastRun, boolean unreportedRuns) {
        Term term = Term.from(time, duration);
        if (!gate.isOpen(StoreGate.IDLE)) {
            return Optional.empty();
        }
        if (row.isPresent() && freeAt(row.get()).isAfter(time.instant())) {
            return Optional.empty();
        }
        Values before = row.map(Row::values).orElse(Values.none());
        Values values = before.toBuilder()
                .put(OWNER, holders.next())
                .put(EPOCH, before.number(EPOCH, 0) + 1)
                .put(ENDS_AT, term.endsAt())
                .put(Lease.LAST_RUN, lastRun)
                .put(Lease.UNREPORTED_RUNS, unreportedRuns ? true : null)
                .build();
        return write(name, row.orElse(null), values).map(taken -> new Lease(this, name, taken, term));
    }

    /** Returns the present row of a lease, no matter which process holds it. */
    public Optional<Row> read(String name) {
        return table.get(PARTITION, KeyEscaper.escape(name));
    }

    /** Returns the time from which another holder may take the lease of this row. */
    public Instant freeAt(Row row) {
        Instant end = row.values().instant(ENDS_AT);
        String owner = row.values().string(OWNER);
        return owner == null || end == null || holders.isDead(owner) ? Instant.MIN : end.plus(foreignGrace);
    }

    /** Returns whether the lease of this row is held by a process that is known to have ended. */
    public boolean isHolderDead(Row row) {
        String owner = row.values().string(OWNER);
        return owner != null && holders.isDead(owner);
    }

    /**
     * Returns the duration of a lease whose holder only checks for work now and then. It is short if the holder's death
     * matters soon.
     */
    public Duration idle() {
        return foreignGrace.isZero() && !holders.detectsDeadHolders() ? ACTIVE : IDLE;
    }

    /**
     * Returns the longest time to wait before another holder's lease is read again, because that holder may be gone.
     */
    public Duration pollInterval() {
        return holders.detectsDeadHolders() ? ACTIVE : IDLE.plus(foreignGrace);
    }

    /** Returns the most that the clocks of two hosts differ according to the settings. */
    public Duration foreignGrace() {
        return foreignGrace;
    }

    /** Returns the gate that says whether this program may still work on the stored data. */
    public StoreGate gate() {
        return gate;
    }

    Time time() {
        return time;
    }

    /**
     * Writes the row of a lease. If the result of the write is unknown, the row is read: if it has the owner that was
     * to be written, the lease is ours, no matter which of our writes succeeded.
     */
    Optional<Row> write(String name, @Nullable Row before, Values values) {
        String rowKey = KeyEscaper.escape(name);
        Write write = before == null ? Write.insert(rowKey, values) : Write.replace(before, values);
        Optional<WriteResult.Written> written = attempt(write);
        if (written.isPresent()) {
            return Optional.of(new Row(new Key(PARTITION, rowKey), written.get().etag(), values));
        }
        String owner = values.string(OWNER);
        return read(name)
                .filter(row -> owner != null && owner.equals(row.values().string(OWNER)));
    }

    /** Removes the owner from the row. The result does not matter, since the lease ends anyway. */
    void free(Row row, @Nullable Instant lastRun) {
        Values values = row.values().toBuilder()
                .put(OWNER, null)
                .put(Lease.LAST_RUN, lastRun)
                .put(Lease.UNREPORTED_RUNS, null)
                .build();
        attempt(Write.replace(row, values));
    }

    private Optional<WriteResult.Written> attempt(Write write) {
        return ConditionalWrites.attempt(() -> table.write(PARTITION, write));
    }

    /** The end of a lease by both clocks, which were read before the lease was written. */
    record Term(Instant endsAt, Duration endsElapsed) {

        static Term from(Time time, Duration duration) {
            Assert.isTrue(duration.compareTo(EARLY) > 0, "a lease takes longer than " + EARLY);
            return new Term(time.instant().plus(duration), time.elapsed().plus(duration));
        }

        boolean lasts(Time time) {
            return time.instant().isBefore(endsAt.minus(EARLY))
                    && time.elapsed().compareTo(endsElapsed.minus(EARLY)) < 0;
        }
    }
}
