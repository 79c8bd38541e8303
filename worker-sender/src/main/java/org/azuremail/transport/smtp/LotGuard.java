package org.azuremail.transport.smtp;

import java.io.UncheckedIOException;
import java.time.Duration;
import org.azuremail.mail.Answer;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the caller's guard no more often than necessary: once between emails, and again when the last answer is old. */
final class LotGuard {

    private static final Logger LOG = LoggerFactory.getLogger(LotGuard.class);
    private static final Duration QUICK = Duration.ofMillis(100);

    private final Guard guard;
    private final Time time;
    private Duration askedAt;
    private int allowed;
    private boolean stopped;

    /** Creates a guard; the caller has just checked the lot and its first email. */
    LotGuard(Guard guard, Time time) {
        this.guard = guard;
        this.time = time;
        this.askedAt = time.elapsed();
    }

    /**
     * Returns whether the email at this place may be the next. Asks once for each email, possibly ahead of its turn.
     */
    boolean allows(int place) {
        if (place > allowed && allowsAgain()) {
            allowed = place;
        }
        return place <= allowed && !stopped;
    }

    /** Returns whether the permission still holds. Asks the guard again after a long step. */
    boolean stillAllows() {
        boolean slow = time.elapsed().minus(askedAt).compareTo(QUICK) > 0;
        return slow ? allowsAgain() : !stopped;
    }

    boolean stopped() {
        return stopped;
    }

    /** Asks the guard again; a refusal is final. */
    boolean allowsAgain() {
        return !stopped && mayWait();
    }

    /** Asks the guard even after a refusal, because asking renews the lease of an email that waits for its answer. */
    boolean mayWait() {
        stopped |= !guard.mayContinue();
        askedAt = time.elapsed();
        return !stopped;
    }

    /** Notes that this email is begun; if that fails, the lot ends. */
    boolean begins(int place) {
        try {
            guard.begins(place);
            return true;
        } catch (UncheckedIOException unnoted) {
            LOG.warn("a mail is not written, because that cannot be noted: {}", unnoted.getMessage());
            stopped = true;
            return false;
        }
    }

    void answered(int place, Answer answer) {
        guard.answered(place, answer);
    }
}
