package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.azuremail.time.Durations;
import org.jspecify.annotations.Nullable;

/**
 * The state of one transport, shared by all senders. Without {@code until} it is closed, and emails are sent. Before
 * {@code until} it is open, and nothing is tried; after it, one lot is let through as a probe.
 *
 * @param unavailable lots in a row of which nothing was taken
 * @param unknown lots in a row whose answer is unknown
 * @param lastWait how long it was last open; zero while it is closed
 * @param kind whether an admin has to act
 * @param probe the attempt that may try, if there is one
 * @param probeUntil until when other attempts leave the try to the probe
 */
public record BreakerState(
        int unavailable,
        int unknown,
        @Nullable Instant until,
        Duration lastWait,
        Kind kind,
        Reason reason,
        String probe,
        @Nullable Instant probeUntil) {

    public static final BreakerState CLOSED =
            new BreakerState(0, 0, null, Duration.ZERO, Kind.WAIT, Reason.NONE, "", null);

    private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    /** The longest time that a breaker stays open. A later end was written by a process whose clock was ahead. */
    private static final Duration MAX_OPEN = Duration.ofMinutes(65);

    private static final Duration MAX_ASKED = Duration.ofHours(1);
    private static final Duration PROBE = Duration.ofSeconds(60);

    public boolean closed() {
        return until == null;
    }

    public boolean openAt(Instant now) {
        return until != null && now.isBefore(until) && until.isBefore(now.plus(MAX_OPEN));
    }

    boolean probed(Instant now) {
        return probeUntil != null && now.isBefore(probeUntil);
    }

    boolean probedBy(String who, Instant now) {
        return probed(now) && probe.equals(who);
    }

    BreakerState withProbe(String who, Instant now) {
        return new BreakerState(unavailable, unknown, until, lastWait, kind, reason, who, now.plus(PROBE));
    }

    BreakerState failing(int nowUnavailable, int nowUnknown) {
        return new BreakerState(nowUnavailable, nowUnknown, until, lastWait, kind, reason, "", null);
    }

    /**
     * Returns an open state, for as long as the provider asked; if it did not ask, for longer each time.
     *
     * @param asked how long the provider asked, if it did
     * @param atLeast the shortest time that makes sense
     */
    BreakerState open(Instant now, @Nullable Duration asked, Duration atLeast, Kind why, Reason reasonNow) {
        Duration next = Durations.min(
                MAX_WAIT, lastWait.isZero() ? Durations.max(FIRST_WAIT, atLeast) : lastWait.multipliedBy(2));
        Instant end = now.plus(asked == null ? next : Durations.min(asked, MAX_ASKED));
        Duration kept = asked == null ? next : Durations.max(FIRST_WAIT, lastWait);
        return new BreakerState(unavailable, unknown, end, kept, why, reasonNow, "", null);
    }

    static BreakerState of(Values values) {
        return new BreakerState(
                values.integer("Unavailable", 0),
                values.integer("Unknown", 0),
                values.instant("OpenUntil"),
                Duration.ofMillis(values.number("WaitMillis", 0)),
                values.bool("NeedsPerson", false) ? Kind.PAUSE : Kind.WAIT,
                Reason.read(values.string("Reason")),
                values.string("Probe", ""),
                values.instant("ProbeUntil"));
    }

    Values values() {
        return Values.builder()
                .put("Unavailable", unavailable)
                .put("Unknown", unknown)
                .put("OpenUntil", until)
                .put("WaitMillis", lastWait.toMillis())
                .put("NeedsPerson", kind == Kind.PAUSE)
                .put("Reason", reason.stored(1000))
                .put("Probe", probe)
                .put("ProbeUntil", probeUntil)
                .build();
    }
}
