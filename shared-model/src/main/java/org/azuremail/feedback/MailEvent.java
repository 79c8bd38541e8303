package org.azuremail.feedback;

import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.jspecify.annotations.Nullable;

/**
 * A report about one email.
 *
 * @param feedback a bounce or a complaint; {@code null} when it was only accepted
 * @param providerId how the provider names it; may be empty
 */
public record MailEvent(MailHandle handle, @Nullable Feedback feedback, String providerId) {

    Optional<Feedback> told() {
        return Optional.ofNullable(feedback);
    }
}
