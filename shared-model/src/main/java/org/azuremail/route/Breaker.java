package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all senders of all processes from using a transport that is down. It opens after two lots in a row whose answer
 * is unknown, after three in a row of which nothing was taken, or when a provider says when to ask again. Then nothing
 * is tried until its time is over and one lot is sent as a probe. If the probe is taken, emails are sent again;
 * otherwise the wait doubles, up to ten minutes. A process learns within five seconds what another has found. The
 * breaker decides only about waiting: if its row cannot be written, no email is lost or sent twice. Safe for use from
 * many threads.
 */
public final class Breaker {

    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
    private static final int UNKNOWN_LOTS = 2;
    private static final int UNAVAILABLE_LOTS = 3;
    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);
    private static final String PARTITION = "breaker";

    /** The time within which other recipients have to show that the provider takes emails. */
    private static final Duration DOUBT = Duration.ofMinutes(2);

    /** The longest delay until a process learns what the others have found. */
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private final Table table;
    private final String rowKey;
    private final Time time;
    private final String transport;
    private final Changes changes;

    /** The row as it was last read or written; no row means closed. */
    private volatile @Nullable Seen seen;

    /** The time of the provider's last proper answer to this process. */
    private volatile @Nullable Instant answeredAt;

    /** When this process began to doubt that the provider takes anything; {@code null} after each proper answer. */
    private volatile @Nullable Instant doubtedAt;

    /** Notified when a breaker opens and when it closes. Its methods may throw the exceptions of the storage. */
    @FunctionalInterface
    public interface Changes {

        /** Called once over all processes. */
        void changed(String transport, BreakerState state);

        /**
         * Called when the breaker may have changed: another lot may have changed it at the same moment, or the answer
         * to this process's write was lost.
         */
        default void mayHaveChanged() {}
    }

    private record Seen(BreakerState state, @Nullable String etag, Duration atElapsed) {}

    public Breaker(Storage storage, Time time, String transport, Changes changes) {
        this.table = new Table(storage.tables(), "work");
        this.rowKey = KeyEscaper.escape(transport);
        this.time = time;
        this.transport = transport;
        this.changes = changes;
    }

    /**
     * Returns the state, at most a few seconds old.
     *
     * @throws StorageException when the row is out of reach
     */
    public BreakerState state() {
        return known().state;
    }

    /**
     * Closes the breaker after an admin repaired the transport. The next lot is tried at once, also by processes that
     * have not read the change yet.
     */
    public void close() {
        if (!read().state.closed()) {
            LOG.warn("Mail by {} is tried again at once: somebody asked for it.", transport);
        }
        change(before -> BreakerState.CLOSED);
    }

    /**
     * Returns whether a lot may be tried. The first attempt after the wait is the probe, for a minute.
     *
     * @param who names the attempt, which stays the probe when it asks again
     * @return why a lot may not be tried, and for how long; empty if it may
     * @throws StorageException when its row is out of reach
     */
    Optional<Unavailable> checkAllowed(String who) {
        Instant now = time.instant();
        BreakerState state = state();
        if (mayProbe(state, now)) {
            state = change(before -> mayProbe(before, now) ? before.withProbe(who, now) : before);
        }
        return state.closed() || state.probedBy(who, now) ? Optional.empty() : Optional.of(why(state, now));
    }

    /**
     * Returns whether it was closed since this process last read that it was open.
     *
     * @throws StorageException when its row is out of reach
     */
    boolean closedMeanwhile() {
        return !remembered().closed() && read().state.closed();
    }

    private static boolean mayProbe(BreakerState state, Instant now) {
        return !state.closed() && !state.openAt(now) && !state.probed(now);
    }

    private Unavailable why(BreakerState state, Instant now) {
        Instant until = state.until();
        Duration left = until != null && state.openAt(now) ? Duration.between(now, until) : ASK_AGAIN;
        Reason leftAlone = Reason.of(ReasonCode.LEFT_ALONE, transport, now.plus(left), state.reason());
        return new Unavailable(state.kind(), leftAlone, left, true);
    }

    Duration elapsed() {
        return time.elapsed();
    }

    Instant instant() {
        return time.instant();
    }

    void recordSuccess() {
        answeredAt = time.instant();
        doubtedAt = null;
        if (remembered().equals(BreakerState.CLOSED)) {
            return;
        }
        report(state -> BreakerState.CLOSED);
    }

    /**
     * Returns whether the provider answered this process properly at that moment or later, and its breaker is closed.
     */
    boolean healthySince(Instant moment) {
        Instant last = answeredAt;
        return last != null && !last.isBefore(moment) && remembered().until() == null;
    }

    /**
     * Returns whether no proper answer has arrived since the first such call, which was {@link #DOUBT} ago. If so, the
     * doubt begins anew.
     */
    boolean stillInDoubt() {
        Instant now = time.instant();
        Instant first = doubtedAt;
        boolean lasts = first != null && !now.isBefore(first.plus(DOUBT));
        doubtedAt = lasts ? null : first == null ? now : first;
        return lasts;
    }

    void recordUnknown(Reason reason) {
        report(state -> {
            BreakerState failing = state.failing(state.unavailable(), state.unknown() + 1);
            boolean opens = !state.closed() || failing.unknown() >= UNKNOWN_LOTS;
            return opens ? failing.open(time.instant(), null, Duration.ZERO, Kind.WAIT, reason) : failing;
        });
    }

    /** Records that nothing of a lot was taken. */
    void recordUnavailable(Unavailable why) {
        report(state -> {
            BreakerState failing = state.failing(state.unavailable() + 1, state.unknown());
            boolean opens = !state.closed()
                    || why.asked()
                    || why.kind() == Kind.PAUSE
                    || failing.unavailable() >= UNAVAILABLE_LOTS;
            Duration asked = why.asked() ? why.retryAfter() : null;
            return opens ? failing.open(time.instant(), asked, why.retryAfter(), why.kind(), why.reason()) : failing;
        });
    }

    /** Answers that arrive while the breaker is open change nothing, because their lots had begun before. */
    private void report(UnaryOperator<BreakerState> report) {
        boolean[] perhaps = {false};
        try {
            ConditionalWrites.retryUntilDone("breaker " + rowKey, () -> {
                Seen before = known();
                BreakerState next = before.state.openAt(time.instant()) ? before.state : report.apply(before.state);
                boolean news = next.closed() != before.state.closed();
                perhaps[0] |= news;
                boolean written = !next.equals(before.state) && write(before, next);
                if (written && news) {
                    perhaps[0] = false;
                    logChange(next);
                }
                return written || next.equals(before.state);
            });
        } catch (StorageException outOfReach) {
            LOG.debug("what became of a lot of {} is not noted", transport, outOfReach);
        }
        if (perhaps[0]) {
            changes.mayHaveChanged();
        }
    }

    private void logChange(BreakerState after) {
        if (after.closed()) {
            LOG.warn("Mail by {} flows again.", transport);
        } else {
            LOG.warn("Mail by {} waits until {}: {}", transport, after.until(), after.reason());
        }
        changes.changed(transport, after);
    }

    /** Returns the state of the last read, however old; closed if this process has read none. */
    private BreakerState remembered() {
        Seen known = seen;
        return known == null ? BreakerState.CLOSED : known.state;
    }

    private Seen known() {
        Seen known = seen;
        boolean old = known == null || known.atElapsed.plus(REFRESH_INTERVAL).compareTo(time.elapsed()) <= 0;
        return known == null || old ? read() : known;
    }

    private Seen read() {
        Optional<Row> row = table.get(PARTITION, rowKey);
        BreakerState state = row.map(found -> BreakerState.of(found.values())).orElse(BreakerState.CLOSED);
        Seen read = new Seen(state, row.map(Row::etag).orElse(null), time.elapsed());
        seen = read;
        return read;
    }

    /**
     * @param change returns the same state when nothing is to be changed
     * @return the state in the row after the change
     */
    private BreakerState change(UnaryOperator<BreakerState> change) {
        return ConditionalWrites.retry("breaker " + rowKey, () -> {
            Seen before = known();
            BreakerState next = change.apply(before.state);
            return next.equals(before.state) || write(before, next) ? Optional.of(next) : Optional.empty();
        });
    }

    /** @return false when another process wrote or the answer was lost; both are settled by reading again */
    private boolean write(Seen before, BreakerState next) {
        if (table.write(PARTITION, Write.put(before.etag, rowKey, next.values()))
                instanceof WriteResult.Written written) {
            seen = new Seen(next, written.etag(), time.elapsed());
            return true;
        }
        read();
        return false;
    }
}
