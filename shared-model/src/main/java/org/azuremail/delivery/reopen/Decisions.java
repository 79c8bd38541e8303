package org.azuremail.delivery.reopen;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.archive.PendingRecounts;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * Records an admin's decision that recipients whose outcome is Unknown got the message. A decision is treated like
 * other late knowledge: first the archive is changed, under the ETag of the outcome that was read, then the ranges are
 * recounted. Only Unknown becomes Sent, so that other outcomes recorded meanwhile stay. Repeatable: repeating an
 * interrupted decision finishes it, and the sums are corrected even without a repetition ({@link PendingRecounts}). A
 * decision can be undone as long as nothing else is known about the recipient. {@link Reopening} carries out the other
 * decision, to send the message once more.
 */
public record Decisions(
        TableStore tables,
        MessageStore messages,
        DeliveryStore deliveries,
        RangeRewriter rewriter,
        FigureRequests figures,
        Time time) {

    /**
     * Records one recipient as Sent if its outcome is Unknown. Three storage calls, and some more for the counts.
     *
     * @param shard the shard of the address
     * @param by the admin who decided, for the record
     * @return the present outcome; empty when there is none
     * @throws StorageException when it is not known how far the decision was recorded; repeat it
     */
    public Optional<Outcome> markSent(Message message, int shard, EmailAddress address, String by) {
        ShardKey key = new ShardKey(message.ref(), shard);
        String row = Recipient.rowKey(address);
        changeBatch(key, List.of(row), sent(by, time.instant()));
        Optional<RecordedOutcome> now = deliveries.outcome(key, row);
        // Recounts even if another request changed the outcome and was interrupted.
        if (now.filter(recorded -> recorded.outcome() == Outcome.SENT).isPresent()) {
            rewriter.recount(key, Set.of(row));
            figures.request(message.ref());
        }
        return now.map(RecordedOutcome::outcome);
    }

    /**
     * A decision about all recipients that were Unknown.
     *
     * @param recipients the number of recipients that are Sent by it
     * @param at identifies the decision, for {@link #undo}
     */
    public record Decided(long recipients, Instant at) {}

    /**
     * Records every Unknown recipient as Sent. One storage call for each shard, and a few more for each range with
     * Unknown recipients.
     *
     * @param by the admin who decided, for the record
     * @throws StorageException when it is not known how far the decision was recorded; repeat it
     */
    public Decided markAllSent(Message message, String by) {
        Instant now = time.instant();
        return new Decided(changeAll(message, sent(by, now)), now);
    }

    /**
     * Undoes a decision about all recipients: those who are Sent only because of it become Unknown again. Anything else
     * that became known since then stays. A few storage calls for each range of up to a thousand recipients.
     *
     * @param decision when it was made, as {@link #markAllSent} returned
     * @return the number of recipients that are Unknown again
     * @throws StorageException when it is not known how far the decision was undone; repeat it
     */
    public long undo(Message message, Instant decision) {
        return changeAll(
                message,
                new Step(
                        recorded -> recorded.undecided(decision),
                        Outcome.UNKNOWN,
                        recorded -> recorded.outcome() == Outcome.UNKNOWN));
    }

    /**
     * The effect of a decision on an outcome.
     *
     * @param change returns the same outcome if the decision does not affect it
     * @param end the outcome to which it leads
     * @param done whether an outcome is already as this decision leaves it. An undone outcome does not record who
     *     undid it
     */
    private record Step(UnaryOperator<RecordedOutcome> change, Outcome end, Predicate<RecordedOutcome> done) {

        boolean concerns(RecordedOutcome recorded) {
            return !change.apply(recorded).equals(recorded);
        }
    }

    private static Step sent(String by, Instant now) {
        return new Step(
                recorded -> recorded.outcome() == Outcome.UNKNOWN ? recorded.decidedSent(by, now) : recorded,
                Outcome.SENT,
                recorded -> recorded.decidedAt(now));
    }

    private long changeAll(Message message, Step step) {
        long changed = ShardKey.all(message)
                .mapToLong(shard -> changeAllIn(shard, step))
                .sum();
        messages.recountEnded(
                message.ref(), ended -> MessageProgress.of(deliveries, ended).counts());
        figures.request(message.ref());
        return changed;
    }

    /**
     * Changes all outcomes in a shard. Recounts a range that counts Unknown recipients even if none is left, because
     * another process may have stopped before it recounted. For the same reason, undoing a decision recounts every
     * range.
     */
    private long changeAllIn(ShardKey shard, Step step) {
        long changed = 0;
        for (Versioned<Range> read : deliveries.controls(shard).ranges()) {
            Range range = read.value();
            if (step.end() == Outcome.UNKNOWN || range.counts().unknown() > 0) {
                changed += changeIn(shard, concerned(range, step), step);
                rewriter.recount(range.key());
            }
        }
        return changed;
    }

    private List<RecordedOutcome> concerned(Range range, Step step) {
        return deliveries.recorded(range).values().stream()
                .filter(recorded -> recorded.generation() == range.span().generation())
                .filter(step::concerns)
                .toList();
    }

    private long changeIn(ShardKey shard, List<RecordedOutcome> concerned, Step step) {
        long changed = 0;
        int room = deliveries.limits().batch() - 1; // the mark beside them
        for (List<RecordedOutcome> batch : BatchBudget.divide(
                shard.partition(),
                room,
                concerned,
                recorded -> Write.insert(
                        recorded.rowKey(), step.change().apply(recorded).toValues()))) {
            changed += changeBatch(
                    shard, batch.stream().map(RecordedOutcome::rowKey).toList(), step);
        }
        return changed;
    }

    /** Returns how many of these outcomes the step changed, including changes whose answer was lost. */
    private int changeBatch(ShardKey shard, List<String> keys, Step step) {
        return ConditionalWrites.retry("an outcome in " + shard.partition(), () -> {
            List<Write> writes = new ArrayList<>();
            int existing = 0;
            for (String key : keys) {
                Optional<Row> row = tables.get(ARCHIVE, shard.partition(), key);
                Optional<RecordedOutcome> recorded = row.map(found -> RecordedOutcome.from(key, found.values()));
                if (recorded.filter(step::concerns).isPresent()) {
                    writes.add(Write.replace(
                            row.get(), step.change().apply(recorded.get()).toValues()));
                }
                existing += recorded.filter(step.done()).isPresent() ? 1 : 0;
            }
            int decided = writes.size();
            if (decided > 0) {
                writes.add(PendingRecounts.announce(tables, shard, time.instant()));
            }
            boolean settled = decided == 0
                    || tables.write(ARCHIVE, shard.partition(), writes).written();
            return settled ? Optional.of(decided + existing) : Optional.empty();
        });
    }
}
