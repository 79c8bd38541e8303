package org.azuremail.delivery;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why one address did or did not get a message.
 *
 * @param why a whole sentence for people
 * @param recorded the outcome on record; of an earlier attempt, when it waits to be sent again
 * @param until when it goes on by itself; {@code null} when nothing is waited for or nobody knows
 */
public record RecipientStory(
        Verdict verdict,
        String why,
        Optional<Recorded> recorded,
        @Nullable Instant until) {

    /** How it stands. */
    public enum Verdict {
        SENT,
        FAILED,
        SKIPPED,
        UNKNOWN,
        /** A recipient without an outcome, or one that is mailed again. */
        WAITING,
        /** Nobody can say yet whether it is a recipient. */
        NOT_COUNTED_YET,
        /** It was not among the recipients when they were counted, or nobody was. */
        NOT_A_RECIPIENT
    }

    /** Whether it is certain that the address is among the recipients. */
    boolean ofRecipient() {
        return verdict != Verdict.NOT_COUNTED_YET && verdict != Verdict.NOT_A_RECIPIENT;
    }

    static RecipientStory of(Verdict verdict, String why) {
        return new RecipientStory(verdict, why, Optional.empty(), null);
    }
}
