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
 * Leases over all instances: of many who ask for a name, one gets it, until it is released or ends. A row in table
 * {@code work}, changed under its ETag only, holds the owner's nonce, an epoch that grows with every new owner, and the
 * end.
 *
 * <p>Clocks of different hosts may differ by up to a minute. The own lease counts as ended {@link #EARLY} before its end,
 * by the later of wall and monotonic clock; a foreign one only when its end is over by the grace that the settings give:
 * a minute between hosts, nothing on one machine. A lease is no fence for other rows: writes of those carry their own
 * ETag or the {@link Lease#epoch()}. Where all share a machine the lease of a process that has ended is free at once. Safe for
 * use from many threads and processes.
 */
public final class Leases {

    /** Duration of a lease while its holder has something to do. */
    public static final Duration ACTIVE = Duration.ofSeconds(30);

    /** Duration of a lease while its holder only looks now and then. */
    public static final Duration IDLE = Duration.ofSeconds(180);

    /** The time before a lease's end at which its holder gives it up for itself. */
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

    /** @param foreignGrace how long after its end a foreign lease still counts: the most that two hosts' clocks differ */
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
     * @param name unique over all kinds of leases
     * @param duration until it ends unless renewed; more than {@link #EARLY}
     * @return empty when somebody else holds it, or was faster, or when a newer program has upgraded the storage
     * @throws StorageException when nobody can know; if it was taken after all, it ends by itself
     */
    public Optional<Lease> acquire(String name, Duration duration) {
        Optional<Row> row = read(name);
        return acquire(
                name,
                duration,
                row,
                row.map(Row::values).map(Lease::lastRunAtMost).orElse(null),
                false);
    }

    /** As {@link #acquire(String, Duration)} where the row was read already, and keeps when a run begins. */
    public Optional<Lease> acquire(
            String name, Duration duration, Optional<Row> row, @Nullable Instant lastRun, boolean untoldRuns) {
        Term term = Term.from(time, duration);
        if (!gate.open(StoreGate.IDLE)) {
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
                .put(Lease.UNTOLD_RUNS, untoldRuns ? true : null)
                .build();
        return write(name, row.orElse(null), values).map(taken -> new Lease(this, name, taken, term));
    }

    /** The row as it is now, whoever holds it. */
    public Optional<Row> read(String name) {
        return table.get(PARTITION, KeyEscaper.escape(name));
    }

    /** Returns the time from which somebody else may take the lease of this row. */
    public Instant freeAt(Row row) {
        Instant end = row.values().instant(ENDS_AT);
        String owner = row.values().string(OWNER);
        return owner == null || end == null || holders.gone(owner) ? Instant.MIN : end.plus(foreignGrace);
    }

    /** Returns whether the process that holds the lease of this row has died with it. */
    public boolean holderIsGone(Row row) {
        String owner = row.values().string(OWNER);
        return owner != null && holders.gone(owner);
    }

    /** The length of a lease whose holder only looks now and then: short where it soon matters who died. */
    public Duration idle() {
        return foreignGrace.isZero() && !holders.knowsTheGone() ? ACTIVE : IDLE;
    }

    /** The longest to wait before somebody else's lease is looked at again: its holder may be gone. */
    public Duration lookAgain() {
        return holders.knowsTheGone() ? ACTIVE : IDLE.plus(foreignGrace);
    }

    /** The most that the clocks of two hosts differ, as the settings say. */
    public Duration foreignGrace() {
        return foreignGrace;
    }

    /** Whether this program may still work on what is stored. */
    public StoreGate gate() {
        return gate;
    }

    Time time() {
        return time;
    }

    /**
     * Writes the row of a lease. When the answer proves nothing, the row itself tells: with the owner that was to be
     * written it is ours, whichever of our writes made it so.
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

    /** Takes the owner off; whether it worked matters to nobody, since the lease ends anyway. */
    void free(Row row, @Nullable Instant lastRun) {
        Values values = row.values().toBuilder()
                .put(OWNER, null)
                .put(Lease.LAST_RUN, lastRun)
                .put(Lease.UNTOLD_RUNS, null)
                .build();
        attempt(Write.replace(row, values));
    }

    private Optional<WriteResult.Written> attempt(Write write) {
        return ConditionalWrites.attempt(() -> table.write(PARTITION, write));
    }

    /** The end of a lease, by both clocks; they were read before the lease was written. */
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
