package org.azuremail.feedback;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message in a mailbox for bounces.
 *
 * @param status the enhanced status code; may be empty
 * @param said what the other server said; may be empty
 * @param recipient the address that it is about, as the report has it; may be empty
 * @param headers all headers of the report and of what it returns, where handles and Message-IDs are looked for
 * @param at when it was written; {@code null} when it does not say so
 */
public record BounceReport(
        Type type,
        String status,
        String said,
        String recipient,
        String headers,
        @Nullable Instant at) {

    /** The type of a report. */
    public enum Type {
        HARD(Feedback.Kind.HARD_BOUNCE),
        SOFT(Feedback.Kind.SOFT_BOUNCE),
        COMPLAINT(Feedback.Kind.COMPLAINT),
        OUT_OF_OFFICE(null),
        /** A warning of a delay, a receipt, or nothing that we know. */
        UNKNOWN(null);

        private final Feedback.@Nullable Kind kind;

        Type(Feedback.@Nullable Kind kind) {
            this.kind = kind;
        }

        static Type of(Feedback.Kind kind) {
            return kind == Feedback.Kind.HARD_BOUNCE ? HARD : SOFT;
        }

        Optional<Feedback.Kind> kind() {
            return Optional.ofNullable(kind);
        }
    }
}
