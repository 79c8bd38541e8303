package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves a transport alone that is down, for all senders of all processes. Two lots in a row of which nobody knows whether
 * they were taken open it, three in a row of which nothing was taken, or a provider that says when to ask again. Then
 * nothing is tried until its time is over; one lot goes as a probe; when that is taken, mail flows again, otherwise the wait
 * doubles, up to ten minutes. A process hears within five seconds of what another found out. It decides about waiting and
 * about nothing else: where its row cannot be written, no mail is lost or doubled. Safe for use from many threads.
 */
public final class Breaker {

    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
    private static final int UNKNOWN_LOTS = 2;
    private static final int UNAVAILABLE_LOTS = 3;
    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    private final BreakerRow row;
    private final Time time;
    private final String transport;
    private final BiConsumer<String, BreakerState> changed;

    /** The time of the provider's last proper answer to this process. */
    private volatile @Nullable Instant answeredAt;

    /** @param changed hears when it opens and when it closes, once over all processes; may throw what the storage throws */
    public Breaker(Storage storage, Time time, String transport, BiConsumer<String, BreakerState> changed) {
        this.row = new BreakerRow(storage, time, transport);
        this.time = time;
        this.transport = transport;
        this.changed = changed;
    }

    /** As it is in the row, or did a few seconds ago; for pages. */
    public BreakerState state() {
        return row.lately();
    }

    /** Somebody repaired it: the next lot is tried at once, also by a process that has not heard of it. */
    public void close() {
        if (!row.now().closed()) {
            LOG.warn("Mail by {} is tried again at once: somebody asked for it.", transport);
        }
        row.change(before -> BreakerState.CLOSED);
    }

    /**
     * Whether a lot may be tried now; the first to ask after the wait is the probe, for a minute.
     *
     * @param who names the attempt: asking again, it is still the probe
     * @return why not, if so, and for how long
     * @throws StorageException when its row is out of reach
     */
    Optional<Unavailable> shut(String who) {
        Instant now = time.instant();
        BreakerState state = row.lately();
        if (state.closed() || state.probedBy(who, now)) {
            return Optional.empty();
        }
        if (!state.openAt(now) && !state.probedByOthers(who, now)) {
            state = row.change(before -> mayProbe(before, who, now) ? before.withProbe(who, now) : before);
        }
        return state.closed() || state.probedBy(who, now) ? Optional.empty() : Optional.of(why(state, now));
    }

    /**
     * Returns whether somebody closed it since this process last heard that it was not closed.
     *
     * @throws StorageException when its row is out of reach
     */
    boolean closedMeanwhile() {
        return !row.remembered().closed() && row.now().closed();
    }

    private static boolean mayProbe(BreakerState state, String who, Instant now) {
        return !state.closed() && !state.openAt(now) && !state.probedByOthers(who, now);
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

    /** The provider answered as it should. */
    void took() {
        answeredAt = time.instant();
        if (row.remembered().equals(BreakerState.CLOSED)) {
            return;
        }
        report(state -> state.openAt(time.instant()) ? state : BreakerState.CLOSED);
    }

    /** Returns whether it did so, to this process, at that moment or later, and nothing is known against it now. */
    boolean wellSince(Instant moment) {
        Instant last = answeredAt;
        return last != null && !last.isBefore(moment) && row.remembered().until() == null;
    }

    /** Nobody knows whether a lot was taken. */
    void unknown(Reason reason) {
        report(state -> {
            BreakerState failing = state.failing(state.unavailable(), state.unknown() + 1);
            boolean opens = !state.closed() || failing.unknown() >= UNKNOWN_LOTS;
            return opens ? failing.open(time.instant(), null, Duration.ZERO, Kind.WAIT, reason) : failing;
        });
    }

    /** Nothing of a lot was taken. */
    void unavailable(Unavailable why) {
        report(state -> {
            BreakerState failing = state.failing(state.unavailable() + 1, state.unknown());
            boolean opens = !state.closed()
                    || why.asked()
                    || why.kind() == Kind.PAUSE
                    || failing.unavailable() >= UNAVAILABLE_LOTS;
            @Nullable Duration asked = why.asked() ? why.retryAfter() : null;
            return opens ? failing.open(time.instant(), asked, why.retryAfter(), why.kind(), why.reason()) : failing;
        });
    }

    private interface Change {
        BreakerState of(BreakerState before);
    }

    /** Answers that arrive while it is open change nothing: those lots had begun before. */
    private void report(Change change) {
        try {
            boolean[] wasClosed = {true};
            BreakerState after = row.change(before -> {
                wasClosed[0] = before.closed();
                return before.openAt(time.instant()) ? before : change.of(before);
            });
            say(wasClosed[0], after);
        } catch (StorageException outOfReach) {
            LOG.debug("what became of a lot of {} is not noted", transport, outOfReach);
        }
    }

    private void say(boolean wasClosed, BreakerState after) {
        Instant until = after.until();
        if (wasClosed && until != null) {
            LOG.warn("Mail by {} waits until {}: {}", transport, until, after.reason());
            changed.accept(transport, after);
        } else if (!wasClosed && until == null) {
            LOG.warn("Mail by {} flows again.", transport);
            changed.accept(transport, after);
        }
    }
}
