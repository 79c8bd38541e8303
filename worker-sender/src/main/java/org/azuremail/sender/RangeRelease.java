package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.limit.Wait;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.route.Route;
import org.azuremail.work.run.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Not now: the range is let go before anything was handed over, or the transport took nothing. R goes back to Open, nobody is
 * charged. Each method answers how the run ends, or null when R could not be written and all is to be read again.
 */
final class RangeRelease {

    private static final Duration LONG_WAIT = Duration.ofSeconds(60);

    private final SenderParts parts;
    private final RangeAttempt attempt;

    RangeRelease(SenderParts parts, RangeAttempt attempt) {
        this.parts = parts;
        this.attempt = attempt;
    }

    /**
     * The transport takes nothing: the range waits, or the message if a person has to act. Then the range goes first: a pause
     * rewrites every R, ours too, and would refuse the write that lets it go, again and again. It gets no time of its own,
     * because whoever resumes the message has done something about the reason.
     */
    @Nullable
    WorkResult leave(Message message, Unavailable why) {
        if (why.kind() != Unavailable.Kind.PAUSE) {
            return waitUntil(parts.time().instant().plus(why.retryAfter()), why.reason());
        }
        WorkResult left = release(null, why.reason(), WorkResult.DONE);
        if (left != null) {
            parts.control().pause(message.ref(), why.reason());
        }
        return left;
    }

    /** A limit is reached: a short wait keeps the claim. */
    @Nullable
    WorkResult await(Wait wait) {
        if (wait.duration().compareTo(Route.SHORT_WAIT) > 0) {
            return waitUntil(parts.time().instant().plus(wait.duration()), wait.reason());
        }
        attempt.sleep(wait.duration());
        return null;
    }

    @Nullable
    WorkResult waitUntil(Instant when, Reason why) {
        return release(when, why, waiting(when));
    }

    /** A short wait keeps the item hidden; a long one is left to the reconciler. */
    private WorkResult waiting(Instant until) {
        Duration wait = Duration.between(parts.time().instant(), until);
        return wait.compareTo(LONG_WAIT) > 0
                ? WorkResult.DONE
                : new WorkResult.RetryAfter(wait.isNegative() ? Duration.ZERO : wait);
    }

    /** The message is paused, or the process stops. */
    @Nullable
    WorkResult release(WorkResult result) {
        return release(null, Reason.NONE, result);
    }

    private @Nullable WorkResult release(@Nullable Instant notBefore, Reason why, WorkResult result) {
        return attempt.write(range -> range.released(notBefore, why)) ? result : null;
    }
}
