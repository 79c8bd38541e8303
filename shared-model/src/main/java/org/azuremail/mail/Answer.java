package org.azuremail.mail;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/** The answer of a transport to one email. */
public sealed interface Answer {

    /**
     * The provider has taken the mail; from here it is the provider's.
     *
     * @param providerId how the provider names it, if it does
     */
    record Accepted(@Nullable String providerId) implements Answer {}

    /** This mail, for this reason, for good: it will not be tried again. */
    record Refused(Reason reason) implements Answer {

        /** In the provider's own words. */
        public Refused(String said) {
            this(Reason.said(said));
        }
    }

    /**
     * This mail, not now: it may be tried again. Nothing was taken.
     *
     * @param broke whether nobody said so: the conversation broke at this mail, for whosever sake
     */
    record RetryAfter(Duration delay, Reason reason, boolean broke) implements Answer {

        /** In the provider's own words. */
        public RetryAfter(Duration delay, String said) {
            this(delay, Reason.said(said), false);
        }
    }

    /** Nobody knows whether the provider took it (500, 502, 504, a dead connection after it was written). */
    record Unknown(Reason reason) implements Answer {}

    /** It was not begun, nothing was taken, nobody is charged. {@link HandOver#unavailable()} says why. */
    record Untaken() implements Answer {}
}
