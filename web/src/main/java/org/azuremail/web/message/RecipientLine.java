package org.azuremail.web.message;

import java.time.Instant;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.Recorded;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * A recipient in a table.
 *
 * @param word for the badge: an outcome, or Waiting
 * @param at when it ended, or until when it waits; {@code null} when nobody knows
 * @param undecided whether somebody may decide about it
 */
record RecipientLine(String address, String word, @Nullable Instant at, String detail, boolean undecided) {

    static RecipientLine of(Recorded recorded) {
        return new RecipientLine(
                recorded.recipient().address().value(),
                recorded.outcome().stored(),
                recorded.at(),
                recorded.told(),
                recorded.outcome() == Outcome.UNKNOWN);
    }

    static RecipientLine of(Recipient waiting) {
        boolean asked = waiting.notBefore() != null;
        return new RecipientLine(
                waiting.address().value(),
                "Waiting",
                waiting.notBefore(),
                asked ? Reason.of(ReasonCode.PUT_OFF).words() : "",
                false);
    }
}
