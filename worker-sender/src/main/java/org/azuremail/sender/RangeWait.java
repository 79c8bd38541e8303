package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.route.Attempt;
import org.azuremail.route.Route;
import org.azuremail.storage.Versioned;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a range waits. A short wait keeps the claim, and the next turn reads everything again. For a long
 * wait, the range is released, and the result ends the run. No wait counts as a try of a recipient.
 */
record RangeWait(SenderContext context, HeldRange held, Attempt attempt) {

    static final Duration MIN_LEASE_LEFT = Duration.ofSeconds(10);

    /**
     * The limit is longer than a range waits for its turn, because a range that the scheduler queues is up to a minute
     * late and delays those behind it.
     */
    private static final Duration LONG_WAIT = Duration.ofMinutes(15);

    private static final Duration SOON = Duration.ofSeconds(1);

    private static final RateLimitWait PLACE_WAIT = new RateLimitWait(Duration.ofMillis(20), Reason.NONE);

    /** Waits for a place. Releases a range whose lease gets short or whose handler other transports may need. */
    @Nullable
    WorkResult forPlace(Route full) {
        Optional<Instant> later = context.places().findRetryTime(held.key(), full, attempt);
        if (later.isEmpty() && held.ownsFor(MIN_LEASE_LEFT)) {
            return forLimit(PLACE_WAIT);
        }
        Instant soon = context.time().instant().plus(PLACE_WAIT.duration());
        return until(later.orElse(soon), Reason.NONE);
    }

    @Nullable
    WorkResult forLimit(RateLimitWait wait) {
        if (wait.duration().compareTo(Route.SHORT_WAIT) > 0) {
            return until(context.time().instant().plus(wait.duration()), wait.reason());
        }
        context.time().pause(wait.duration());
        return null;
    }

    /**
     * Handles a transport that takes nothing: the range waits, or the message is paused if an admin has to act. Before
     * a pause, the range is released, because a pause rewrites every R, including this one, and the release would be
     * refused. The range gets no notBefore, because the admin who resumes the message has dealt with the reason. A
     * message that has changed since it was read may have been resumed, so the transport is asked again.
     */
    @Nullable
    WorkResult forTransport(Versioned<Message> message, Unavailable why) {
        if (why.kind() == Unavailable.Kind.WAIT) {
            return until(context.time().instant().plus(why.retryAfter()), why.reason());
        }
        if (!held.write(range -> range.released(null, why.reason()))) {
            return null;
        }
        return context.control().pause(message, why.reason()) ? WorkResult.DONE : new WorkResult.RetryAfter(SOON);
    }

    /** During a short wait the item stays hidden; after a long one the reconciler queues the range again. */
    @Nullable
    WorkResult until(Instant when, Reason why) {
        Duration wait = Duration.between(context.time().instant(), when);
        if (!held.write(range -> range.released(when, why))) {
            return null;
        }
        return wait.compareTo(LONG_WAIT) > 0
                ? WorkResult.DONE
                : new WorkResult.RetryAfter(wait.isNegative() ? Duration.ZERO : wait);
    }
}
