package org.azuremail.delivery.range;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.id.AsciiWord;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.jspecify.annotations.Nullable;

/** Recipients that admins look for together: those with one outcome, or a part of the Sent or of the Unknown ones. */
public enum OutcomeGroup {
    UNKNOWN,
    /**
     * Unknown for a day: providers have stopped repeating their events, so only an admin can decide about these
     * recipients.
     */
    UNDECIDED,
    SKIPPED,
    FAILED,
    SENT,
    /** Sent, and bounced. */
    BOUNCED,
    /** Sent, and marked as spam. */
    COMPLAINED;

    /** The time for which providers repeat their events. */
    private static final Duration EVENT_RETRY_WINDOW = Duration.ofDays(1);

    /** @param word in any case */
    public static Optional<OutcomeGroup> of(@Nullable String word) {
        return AsciiWord.find(OutcomeGroup.class, OutcomeGroup::name, word);
    }

    public boolean holds(RecordedOutcome recorded, Instant now) {
        return switch (this) {
            case UNDECIDED ->
                recorded.outcome() == Outcome.UNKNOWN && recorded.at().isBefore(now.minus(EVENT_RETRY_WINDOW));
            case BOUNCED -> recorded.bounced();
            case COMPLAINED -> recorded.complained();
            default -> recorded.outcome() == Outcome.valueOf(name());
        };
    }

    /** Returns the largest number of the counted recipients that this group can contain. */
    public long most(OutcomeCounts counts) {
        return switch (this) {
            case UNDECIDED -> counts.unknown();
            case BOUNCED -> counts.bounced();
            case COMPLAINED -> counts.complained();
            default -> counts.of(Outcome.valueOf(name()));
        };
    }
}
