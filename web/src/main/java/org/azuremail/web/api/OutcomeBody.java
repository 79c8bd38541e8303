package org.azuremail.web.api;

import java.time.Instant;
import org.azuremail.delivery.Recorded;
import org.jspecify.annotations.Nullable;

/**
 * How one recipient ended.
 *
 * @param detail the provider's id or the reason
 * @param reasonCode of the reason, if there is one; {@code SAID} for words of the provider
 * @param transport who was asked, where there are several
 */
record OutcomeBody(
        String email,
        String outcome,
        @Nullable String detail,
        @Nullable String reasonCode,
        @Nullable String transport,
        Instant at) {

    static OutcomeBody of(Recorded recorded) {
        return new OutcomeBody(
                recorded.recipient().address().value(),
                MessageBody.lower(recorded.outcome().stored()),
                recorded.told().isEmpty() ? null : recorded.told(),
                recorded.reason().none() ? null : recorded.reason().code(),
                recorded.transport(),
                recorded.at());
    }
}
