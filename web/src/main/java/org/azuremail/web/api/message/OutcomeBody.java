package org.azuremail.web.api.message;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.RecordedOutcome;
import org.jspecify.annotations.Nullable;

/**
 * @param detail the provider's id or the reason
 * @param reasonCode the code of the reason, if there is one; {@code SAID} if the words are the provider's own
 * @param transport the transport that was asked to send, if there are several
 * @param feedback the bounce or complaint that was reported after sending, if any
 */
record OutcomeBody(
        String email,
        String outcome,
        @Nullable String detail,
        @Nullable String reasonCode,
        @Nullable String transport,
        Instant at,
        @Nullable FeedbackBody feedback) {

    /**
     * @param kind {@code soft_bounce}, {@code hard_bounce} or {@code complaint}
     * @param code the enhanced status code, or the source's own code; may be empty
     */
    record FeedbackBody(String kind, String code, String detail, Instant at) {

        static FeedbackBody of(Feedback feedback) {
            return new FeedbackBody(
                    MessageBody.lower(feedback.kind().name()), feedback.code(), feedback.diagnostic(), feedback.at());
        }
    }

    static OutcomeBody of(RecordedOutcome recorded) {
        return new OutcomeBody(
                recorded.recipient().address().value(),
                MessageBody.lower(recorded.outcome().stored()),
                recorded.detailText().isEmpty() ? null : recorded.detailText(),
                recorded.reason().none() ? null : recorded.reason().code(),
                recorded.transport(),
                recorded.at(),
                Optional.ofNullable(recorded.feedback()).map(FeedbackBody::of).orElse(null));
    }
}
