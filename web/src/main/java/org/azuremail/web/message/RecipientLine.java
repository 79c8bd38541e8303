package org.azuremail.web.message;

import java.time.Instant;
import java.util.Locale;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * A recipient in a table.
 *
 * @param list of which it is a subscriber
 * @param code of the outcome, of what became known later, or {@code waiting}
 * @param at when it ended, or until when it waits; {@code null} when nobody knows
 * @param undecided whether somebody may decide about it
 */
record RecipientLine(
        String list, String address, String code, @Nullable Instant at, String detail, boolean undecided) {

    static RecipientLine of(Recorded recorded) {
        Feedback feedback = recorded.feedback();
        return new RecipientLine(
                recorded.recipient().list().value(),
                recorded.recipient().address().value(),
                code(recorded).toLowerCase(Locale.ROOT),
                feedback == null ? recorded.at() : feedback.at(),
                feedback == null ? recorded.told() : feedback.reason().words(),
                recorded.outcome() == Outcome.UNKNOWN);
    }

    /** The code of the final outcome. */
    private static String code(Recorded recorded) {
        return recorded.complained()
                ? OutcomeGroup.COMPLAINED.name()
                : recorded.bounced()
                        ? OutcomeGroup.BOUNCED.name()
                        : recorded.outcome().name();
    }

    static RecipientLine of(Recipient waiting) {
        boolean asked = waiting.notBefore() != null;
        return new RecipientLine(
                waiting.list().value(),
                waiting.address().value(),
                "waiting",
                waiting.notBefore(),
                asked ? Reason.of(ReasonCode.PUT_OFF).words() : "",
                false);
    }
}
