package org.azuremail.web.api;

import java.time.Instant;
import org.azuremail.delivery.Recorded;
import org.jspecify.annotations.Nullable;

/** How one recipient ended; {@code detail} is the provider's id or the reason. */
record OutcomeBody(String email, String outcome, @Nullable String detail, Instant at) {

    static OutcomeBody of(Recorded recorded) {
        return new OutcomeBody(
                recorded.recipient().address().value(),
                MessageBody.lower(recorded.outcome().stored()),
                recorded.detail().isEmpty() ? null : recorded.detail(),
                recorded.at());
    }
}
