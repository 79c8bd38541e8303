package org.azuremail.delivery.reopen;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.archive.LateCounts;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.BatchRoom;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * A person decides about recipients whose outcome is Unknown: they got it. That is late knowledge as any other: the archive
 * first, under the ETag of the outcome that was read, then the counts of the ranges anew. Only Unknown becomes Sent, so
 * that any other knowledge that came meanwhile stays. Repeatable: what broke off is finished by doing it again; the sums follow
 * what was recorded even if nobody does ({@link LateCounts}). A decision can be taken back as long as nothing else is known of
 * the recipient. The other decision, send it once more, is {@link Reopening}'s.
 */
public record Decisions(
        TableStore tables,
        MessageStore messages,
        DeliveryStore deliveries,
        RangeRewriter rewriter,
        FiguresWanted figures,
        Time time) {

    /**
     * Records one recipient as Sent if its outcome is Unknown. Three storage calls, some more for the counts.
     *
     * @param shard where the address is
     * @param by who decided, for the record
     * @return the outcome that stands now; empty when there is none
     * @throws StorageException when nobody can know how far it came; do it again
     */
    public Optional<Outcome> markSent(Message message, int shard, EmailAddress address, String by) {
        ShardKey key = new ShardKey(message.ref(), shard);
        String row = Recipient.rowKey(address);
        // Also when another press wrote it, and stopped in between.
        boolean written = changeBatch(key, List.of(row), sent(by, time.instant())) > 0;
        Optional<Recorded> now = deliveries.outcome(key, row);
        if (written) {
            rewriter.recount(key, Set.of(row));
            figures.ask(message.ref());
        }
        return now.map(Recorded::outcome);
    }

    /**
     * A decision about all recipients that were Unknown.
     *
     * @param recipients how many are Sent by it
     * @param at names the decision, for {@link #undo}
     */
    public record Decided(long recipients, Instant at) {}

    /**
     * Records every Unknown recipient as Sent. A storage call a shard, and a few more for each range that has Unknown ones.
     *
     * @param by who decided, for the record
     * @throws StorageException when nobody can know how far it came; do it again
     */
    public Decided markAllSent(Message message, String by) {
        Instant now = time.instant();
        return new Decided(changeAll(message, sent(by, now)), now);
    }

    /**
     * Takes a decision about all back: whoever is Sent by it alone is Unknown again, as before. Of whom something else is
     * known since, that stands. A few storage calls for each range of up to a thousand recipients.
     *
     * @param decision when it was made, as {@link #markAllSent} said
     * @return how many are Unknown again
     * @throws StorageException when nobody can know how far it came; do it again
     */
    public long undo(Message message, Instant decision) {
        return changeAll(message, new Step(recorded -> recorded.undecided(decision), Outcome.UNKNOWN));
    }

    /**
     * The effect of a decision on an outcome.
     *
     * @param change the same where the decision does not concern it
     * @param end the outcome that it leads to
     */
    private record Step(UnaryOperator<Recorded> change, Outcome end) {

        boolean concerns(Recorded recorded) {
            return !change.apply(recorded).equals(recorded);
        }
    }

    private static Step sent(String by, Instant now) {
        return new Step(
                recorded -> recorded.outcome() == Outcome.UNKNOWN ? recorded.decidedSent(by, now) : recorded,
                Outcome.SENT);
    }

    private long changeAll(Message message, Step step) {
        long changed = ShardKey.all(message)
                .mapToLong(shard -> changeAllIn(shard, step))
                .sum();
        messages.recountEnded(
                message.ref(), ended -> MessageProgress.of(deliveries, ended).counts());
        figures.ask(message.ref());
        return changed;
    }

    /**
     * A range that counts Unknown ones is counted anew even if none is left: somebody may have stopped in between. Where a
     * decision is taken back that is every range: whoever made it may have stopped before it was counted.
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

    private List<Recorded> concerned(Range range, Step step) {
        return deliveries.recorded(range).values().stream()
                .filter(recorded -> recorded.generation() == range.span().generation())
                .filter(step::concerns)
                .toList();
    }

    private long changeIn(ShardKey shard, List<Recorded> concerned, Step step) {
        long changed = 0;
        int room = deliveries.limits().batch() - 1; // the mark beside them
        for (List<Recorded> batch : BatchRoom.divide(
                shard.partition(),
                room,
                concerned,
                recorded -> Write.insert(
                        recorded.rowKey(), step.change().apply(recorded).toValues()))) {
            changed += changeBatch(shard, batch.stream().map(Recorded::rowKey).toList(), step);
        }
        return changed;
    }

    /** Returns how many of these have the outcome at the end: a lost answer hides who wrote it. */
    private int changeBatch(ShardKey shard, List<String> keys, Step step) {
        return ConditionalWrites.until("an outcome in " + shard.partition(), () -> {
            List<Write> writes = new ArrayList<>();
            int there = 0;
            for (String key : keys) {
                Optional<Row> row = tables.get(ARCHIVE, shard.partition(), key);
                Optional<Recorded> recorded = row.map(found -> Recorded.from(key, found.values()));
                if (recorded.filter(step::concerns).isPresent()) {
                    writes.add(Write.replace(
                            row.get(), step.change().apply(recorded.get()).toValues()));
                }
                there += recorded.filter(one -> one.outcome() == step.end()).isPresent() ? 1 : 0;
            }
            int decided = writes.size();
            if (decided > 0) {
                writes.add(LateCounts.announce(tables, shard, time.instant()));
            }
            boolean settled = decided == 0
                    || tables.write(ARCHIVE, shard.partition(), writes).written();
            return settled ? Optional.of(decided + there) : Optional.empty();
        });
    }
}
