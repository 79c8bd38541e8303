package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.azuremail.work.service.Delivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records outcomes in the archive before any email row is cleared. If that changes an older outcome, the ranges that
 * cover it are recounted at the end of the run.
 */
record OutcomeRecorder(SenderContext context, HeldRange held, Delivery delivery, Set<String> changed) {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);

    /** Outcomes about to be recorded, in the order of the email rows that they end. */
    record Outcomes(Time time, List<EmailRow> rows, List<RecordedOutcome> recorded) {

        void add(EmailRow row, Outcome outcome, Reason reason, @Nullable String transport) {
            rows.add(row);
            recorded.add(
                    RecordedOutcome.of(row, outcome, reason, time.instant()).by(transport));
        }

        void sent(EmailRow row, @Nullable String providerId, @Nullable String transport) {
            rows.add(row);
            recorded.add(RecordedOutcome.of(row, Outcome.SENT, providerId, time.instant())
                    .by(transport));
        }

        boolean isEmpty() {
            return rows.isEmpty();
        }

        long count(Outcome outcome) {
            return recorded.stream().filter(one -> one.outcome() == outcome).count();
        }
    }

    Outcomes outcomes() {
        return new Outcomes(context.time(), new ArrayList<>(), new ArrayList<>());
    }

    /**
     * Records outcomes, and waits for an archive that is away, because a transport's answers are known only to this
     * attempt.
     */
    void recordWithRetry(RangeView seen, Outcomes outcomes) {
        StorageWait storageWait = new StorageWait(context.time(), delivery);
        while (true) {
            try {
                record(seen, outcomes);
                return;
            } catch (StorageException away) {
                storageWait.pauseOrRethrow(away);
                renew();
            }
        }
    }

    /**
     * Recording may take a while, and another sender may watch the range. A process that has lost the range still
     * records what it knows.
     */
    private void renew() {
        try {
            held.renewed();
        } catch (HeldRange.LeaseLost | StorageException e) {
            LOG.debug("{} is not renewed: {}", held.key(), e.toString());
        }
    }

    /**
     * Records outcomes, if any, after which their rows only have to be cleared.
     *
     * @throws StorageException when the archive cannot be reached; some outcomes may have been recorded
     */
    void record(RangeView seen, Outcomes outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        OutcomeArchive.Result result = context.archive().record(held.key().shard(), outcomes.recorded);
        changed.addAll(result.changed());
        seen.settle(outcomes.rows, result.outcomes());
        countMissingMailboxes(outcomes);
    }

    /**
     * Counts an email to a mailbox that does not exist as a soft bounce, not a hard one: often our own server says so,
     * and a mistake in its settings must not suppress a whole domain. If this fails, only the count is lost.
     */
    private void countMissingMailboxes(Outcomes outcomes) {
        try {
            for (RecordedOutcome one : outcomes.recorded) {
                if (one.outcome() == Outcome.FAILED && one.reason().is(ReasonCode.NO_MAILBOX)) {
                    context.suppressions()
                            .softBounce(one.address(), held.key().shard().ref(), one.generation(), one.at());
                    renew();
                }
            }
        } catch (StorageException away) {
            LOG.warn("missing mailboxes of {} are not counted", held.key(), away);
        }
    }

    void recountChanged() {
        if (!changed.isEmpty()) {
            context.rewriter().recount(held.key().shard(), changed);
        }
    }
}
