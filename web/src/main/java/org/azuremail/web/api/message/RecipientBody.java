package org.azuremail.web.api.message;

import java.time.Instant;
import org.azuremail.delivery.recipient.DeliveryExplanation;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why one address did or did not get a message.
 *
 * @param verdict {@code sent}, {@code failed}, {@code skipped}, {@code unknown}, {@code waiting},
 *     {@code not_counted_yet} or {@code not_a_recipient}
 * @param why the explanation, in whole sentences
 * @param outcome the recorded outcome; for a recipient who waits to be sent the message again, the previous one
 * @param notBefore when processing continues by itself
 */
record RecipientBody(
        String email,
        String verdict,
        String why,
        @Nullable OutcomeBody outcome,
        @Nullable Instant notBefore) {

    static RecipientBody of(RecipientSearch.Found found) {
        DeliveryExplanation explanation = found.explanation();
        return new RecipientBody(
                found.address().value(),
                MessageBody.lower(explanation.verdict().name()),
                explanation.words(),
                explanation.recorded().map(OutcomeBody::of).orElse(null),
                explanation.until());
    }
}
