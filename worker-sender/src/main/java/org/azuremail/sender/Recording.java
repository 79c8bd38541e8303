package org.azuremail.sender;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.storage.StorageException;
import org.azuremail.work.Delivery;

/**
 * Record: outcomes go into the archive before any e-mail row is cleared. Where that changes an older outcome, the
 * counts of the ranges that cover it are made anew when the run ends.
 */
final class Recording {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final SenderParts parts;
    private final RangeAttempt attempt;
    private final Delivery delivery;

    private final Set<String> changed = new HashSet<>();

    Recording(SenderParts parts, RangeAttempt attempt, Delivery delivery) {
        this.parts = parts;
        this.attempt = attempt;
        this.delivery = delivery;
    }

    /** A new collection of outcomes. */
    Outcomes outcomes() {
        return new Outcomes(parts.time());
    }

    /** What a transport said is known nowhere else: an archive that is away is waited for. */
    void recordPatiently(RangeView seen, Outcomes outcomes) {
        Duration until = parts.time().elapsed().plus(PATIENCE);
        while (!outcomes.isEmpty()) {
            try {
                record(seen, outcomes);
                return;
            } catch (StorageException e) {
                if (delivery.stopping() || parts.time().elapsed().compareTo(until) > 0) {
                    throw e;
                }
                attempt.sleep(Duration.ofSeconds(1));
            }
        }
    }

    /**
     * Records outcomes, if there are any; their rows are only to be cleared then.
     *
     * @throws StorageException when the archive cannot be reached; some may have been recorded
     */
    void record(RangeView seen, Outcomes outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        OutcomeArchive.Result result = parts.archive().record(attempt.key().shard(), outcomes.recorded());
        changed.addAll(result.changed());
        seen.settle(outcomes.rows(), result.outcomes());
    }

    void recountWhatChanged() {
        if (!changed.isEmpty()) {
            parts.rewriter().recount(attempt.key().shard(), changed);
        }
    }
}
