package org.azuremail.delivery.range;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.jspecify.annotations.Nullable;

/** Recipients that people look for together: those with one outcome, or those of the Sent ones whose email had feedback. */
public enum OutcomeGroup {
    UNKNOWN,
    SKIPPED,
    FAILED,
    SENT,
    /** Sent, and came back. */
    BOUNCED,
    /** Sent, and marked as spam. */
    COMPLAINED;

    /** @param word in any case */
    public static Optional<OutcomeGroup> of(@Nullable String word) {
        String name = word == null ? "" : word.toUpperCase(Locale.ROOT);
        return Arrays.stream(values()).filter(one -> one.name().equals(name)).findFirst();
    }

    public boolean holds(Recorded recorded) {
        Feedback feedback = recorded.feedback();
        return switch (this) {
            case BOUNCED -> feedback != null && !feedback.complaint();
            case COMPLAINED -> feedback != null && feedback.complaint();
            default -> recorded.outcome() == Outcome.valueOf(name());
        };
    }

    /** Returns the number of recipients in this group, among the counted ones. */
    public long of(OutcomeCounts counts) {
        return switch (this) {
            case BOUNCED -> counts.bounced();
            case COMPLAINED -> counts.complained();
            default -> counts.of(Outcome.valueOf(name()));
        };
    }
}
