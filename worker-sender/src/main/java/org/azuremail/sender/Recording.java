package org.azuremail.sender;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.storage.StorageException;
import org.azuremail.work.run.Delivery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Record: outcomes go into the archive before any e-mail row is cleared. Where that changes an older outcome, the
 * counts of the ranges that cover it are made anew when the run ends.
 */
final class Recording {

    private static final Logger LOG = LoggerFactory.getLogger(Recording.class);

    /** A lease shorter than this is renewed first: to record may take a while, and somebody may watch the range. */
    private static final Duration RENEW_BELOW = Duration.ofSeconds(15);

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
        StorageWait patience = new StorageWait(parts.time(), delivery);
        boolean recorded = outcomes.isEmpty();
        while (!recorded) {
            try {
                record(seen, outcomes);
                recorded = true;
            } catch (StorageException away) {
                patience.rest(away);
                renew();
            }
        }
    }

    /** Whoever lost the range meanwhile records what it knows all the same. */
    private void renew() {
        try {
            if (!attempt.ownsFor(RENEW_BELOW)) {
                attempt.write(UnaryOperator.identity());
            }
        } catch (LeaseLost | StorageException e) {
            LOG.debug("{} is not renewed: {}", attempt.key(), e.toString());
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
