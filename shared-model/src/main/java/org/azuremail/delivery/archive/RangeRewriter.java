package org.azuremail.delivery.archive;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Subscriber;

/**
 * Changes control rows from outside, so that a live holder notices that its view is outdated (a subscriber left, the
 * message was paused or cancelled), and so that counts reflect outcomes that became known late.
 */
public record RangeRewriter(DeliveryStore store, MessageStore messages) implements DepartureListener {

    /**
     * Makes every holder of a range that covers the address read again before its next hand-over. When this returns, no
     * more emails to the person are handed over, except by a hand-over that had begun.
     */
    @Override
    public void onDeparture(ListName list, int shard, EmailAddress address) {
        String row = Recipient.rowKey(address);
        for (Message message : messages.begun()) {
            if (message.lists().contains(list)) {
                touch(new ShardKey(message.ref(), shard), range -> range.covers(row));
            }
        }
    }

    @Override
    public boolean mayEmailBoth(Subscriber now, Subscriber before) {
        boolean movedBack =
                now.arrivedFrom().filter(before.membership()::isSameSubscriber).isPresent();
        return messages.begun().stream()
                .filter(message -> message.lists().contains(before.list()))
                .map(Message::ref)
                .anyMatch(ref -> waits(ref, before) && !(movedBack && hasNoRecord(ref, now)));
    }

    private boolean hasNoRecord(MessageRef message, Subscriber subscriber) {
        ShardKey shard = new ShardKey(message, subscriber.shard());
        return !waits(message, subscriber)
                && store.outcome(shard, Recipient.rowKey(subscriber.address())).isEmpty();
    }

    private boolean waits(MessageRef message, Subscriber subscriber) {
        ShardKey shard = new ShardKey(message, subscriber.shard());
        return store.waitingRow(shard, Recipient.rowKey(subscriber.address())).isPresent();
    }

    /** Makes every holder of an unfinished range of the message read again before its next hand-over. */
    public void touchAll(Message message) {
        store.ranges(message).forEach(this::touch);
    }

    /**
     * Corrects counts after outcomes were changed in the archive: the counts of all ranges, of any generation, that
     * cover one of the outcomes, and the sums of a message that is already final.
     *
     * @param rowKeys of the recipients whose outcomes changed
     */
    public void recount(ShardKey shard, Set<String> rowKeys) {
        recount(shard, range -> rowKeys.stream().anyMatch(range::covers));
    }

    void recount(ShardKey shard) {
        recount(shard, range -> true);
    }

    private void recount(ShardKey shard, Predicate<Range> which) {
        store.controls(shard).ranges().stream()
                .map(Versioned::value)
                .filter(which)
                .forEach(range -> recount(range.key()));
        messages.recountEnded(
                shard.ref(), message -> MessageProgress.of(store, message).counts());
    }

    /**
     * Recounts a range from the archive, over the addresses that have no email row of any generation, under the ETag of
     * an R that was read before both. R is always rewritten, so that its holder reads again.
     */
    public void recount(RangeKey key) {
        ConditionalWrites.retryUntilDone("range " + key, () -> {
            Optional<Versioned<Range>> read = store.range(key);
            return read.isEmpty()
                    || store.replaceRange(read.get(), recounted(read.get().value()))
                            .written();
        });
    }

    /**
     * Returns the range with the counts of its archived outcomes. The email rows are read first, because the outcome of
     * a row that is cleared in between was recorded before, in the row's generation.
     */
    private Range recounted(Range range) {
        Set<String> waiting = store.emailRows(range);
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (RecordedOutcome recorded : store.recorded(range).values()) {
            if (recorded.generation() == range.span().generation() && !waiting.contains(recorded.rowKey())) {
                counts = recorded.addTo(counts);
            }
        }
        return range.counted(counts);
    }

    private void touch(ShardKey shard, Predicate<Range> which) {
        store.controls(shard).ranges().stream()
                .filter(read -> which.test(read.value()))
                .forEach(this::touch);
    }

    /** Rewrites R unchanged, unless it is finished. */
    private void touch(Versioned<Range> read) {
        store.rewrite(read, range -> range.done() ? null : range);
    }
}
