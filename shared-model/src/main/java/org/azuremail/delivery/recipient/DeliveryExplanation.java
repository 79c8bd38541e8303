package org.azuremail.delivery.recipient;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why one address did or did not get a message.
 *
 * @param why whole sentences, in this order
 * @param recorded the recorded outcome, which is from an earlier attempt if the recipient waits to be emailed again
 * @param until when it continues by itself; {@code null} when nothing is waited for or the time is unknown
 */
public record DeliveryExplanation(
        Verdict verdict,
        List<Reason> why,
        Optional<RecordedOutcome> recorded,
        @Nullable Instant until) {

    public enum Verdict {
        SENT,
        FAILED,
        SKIPPED,
        UNKNOWN,
        /** A recipient without an outcome, or one that is emailed again. */
        WAITING,
        /** It is not decided yet whether the address is a recipient. */
        NOT_COUNTED_YET,
        /** The address was not among the recipients when they were counted, or the message had none. */
        NOT_A_RECIPIENT,
        /** The outcomes of single recipients have been removed. */
        NOT_KNOWN
    }

    /** Returns whether it is certain that the address is among the recipients. */
    boolean isRecipient() {
        return verdict != Verdict.NOT_COUNTED_YET && verdict != Verdict.NOT_A_RECIPIENT && verdict != Verdict.NOT_KNOWN;
    }

    /** Returns the sentences for pages and the API. */
    public String words() {
        return why.stream().map(Reason::words).collect(Collectors.joining(" "));
    }

    static DeliveryExplanation of(Verdict verdict, List<Reason> why) {
        return new DeliveryExplanation(verdict, why, Optional.empty(), null);
    }
}
