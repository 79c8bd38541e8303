package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.range.WaitingRow;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.azuremail.work.service.Delivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Record: outcomes go into the archive before any email row is cleared. Where that changes an older outcome, the
 * counts of the ranges that cover it are made anew when the run ends.
 */
final class Recording {

    private static final Logger LOG = LoggerFactory.getLogger(Recording.class);

    /** A lease shorter than this is renewed first: to record may take a while, and somebody may watch the range. */
    private static final Duration RENEW_BELOW = Duration.ofSeconds(15);

    private final SenderParts parts;
    private final HeldRange held;
    private final Delivery delivery;
    private final Set<String> changed = new HashSet<>();

    Recording(SenderParts parts, HeldRange held, Delivery delivery) {
        this.parts = parts;
        this.held = held;
        this.delivery = delivery;
    }

    /** Outcomes about to be recorded, and the email rows that they end, in the same order. */
    static final class Outcomes {

        private final Time time;
        private final List<WaitingRow> rows = new ArrayList<>();
        private final List<Recorded> recorded = new ArrayList<>();

        private Outcomes(Time time) {
            this.time = time;
        }

        void add(WaitingRow row, Outcome outcome, Reason reason) {
            add(row, outcome, reason, null);
        }

        /** @param transport who was asked, where there are several */
        void add(WaitingRow row, Outcome outcome, Reason reason, @Nullable String transport) {
            rows.add(row);
            recorded.add(Recorded.of(row, outcome, reason, time.instant()).by(transport));
        }

        /** @param transport who took it, where there are several */
        void sent(WaitingRow row, @Nullable String providerId, @Nullable String transport) {
            rows.add(row);
            recorded.add(
                    Recorded.of(row, Outcome.SENT, providerId, time.instant()).by(transport));
        }

        boolean isEmpty() {
            return rows.isEmpty();
        }

        long count(Outcome outcome) {
            return recorded.stream().filter(one -> one.outcome() == outcome).count();
        }
    }

    /** A new collection of outcomes. */
    Outcomes outcomes() {
        return new Outcomes(parts.time());
    }

    /** The answers of a transport are known nowhere else: an archive that is away is waited for. */
    void recordPatiently(RangeView seen, Outcomes outcomes) {
        StorageWait storageWait = new StorageWait(parts.time(), delivery);
        boolean recorded = outcomes.isEmpty();
        while (!recorded) {
            try {
                record(seen, outcomes);
                recorded = true;
            } catch (StorageException away) {
                storageWait.rest(away);
                renew();
            }
        }
    }

    /** A process that lost the range meanwhile records what it knows all the same. */
    private void renew() {
        try {
            if (!held.ownsFor(RENEW_BELOW)) {
                held.write(UnaryOperator.identity());
            }
        } catch (HeldRange.LeaseLost | StorageException e) {
            LOG.debug("{} is not renewed: {}", held.key(), e.toString());
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
        OutcomeArchive.Result result = parts.archive().record(held.key().shard(), outcomes.recorded);
        changed.addAll(result.changed());
        seen.settle(outcomes.rows, result.outcomes());
    }

    void recountWhatChanged() {
        if (!changed.isEmpty()) {
            parts.rewriter().recount(held.key().shard(), changed);
        }
    }
}
