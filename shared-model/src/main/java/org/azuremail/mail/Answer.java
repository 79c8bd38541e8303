package org.azuremail.mail;

import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.time.Durations;
import org.jspecify.annotations.Nullable;

/** The answer of a transport to one email. */
public sealed interface Answer {

    /**
     * The provider has accepted the email and is responsible for it from then on.
     *
     * @param providerId the provider's id of the email, if it has one
     */
    record Accepted(@Nullable String providerId) implements Answer {}

    /** The provider has permanently refused the email. It is not tried again. */
    record Refused(Reason reason) implements Answer {

        /** Creates a refusal in the provider's own words. */
        public Refused(String said) {
            this(Reason.ofText(said));
        }
    }

    /**
     * The provider did not accept the email, but may later. It can be tried again.
     *
     * @param interrupted whether the connection broke during this email, so that it is unknown which side is the cause
     */
    record RetryAfter(Duration delay, Reason reason, boolean interrupted) implements Answer {

        private static final Duration MAX_DELAY = Duration.ofHours(1);

        /** Creates an answer in the provider's own words. */
        public RetryAfter(Duration delay, String said) {
            this(delay, Reason.ofText(said), false);
        }

        /** Returns how long to wait now: for as long as the email has waited already, up to an hour. */
        public Duration delayAfter(Duration waited) {
            return Durations.min(Durations.max(waited, delay), MAX_DELAY);
        }
    }

    /**
     * It is unknown whether the provider accepted the email (500, 502, 504, or a connection that broke after the email
     * was written).
     */
    record Unknown(Reason reason) implements Answer {}

    /**
     * The hand-over of the email did not begin and does not count as an attempt. {@link HandOverResult#unavailable()}
     * gives the reason.
     */
    record NotAttempted() implements Answer {}
}
