package org.azuremail.subscription.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.azuremail.field.IndexMark;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a change of a subscriber, except for the shard's counts: the subscriber first, then the look-up row of
 * the GUID, the {@code left:} and {@code wait:} rows, and the index rows. The indexed fields stay the same, unless
 * {@code after} has a newer mark.
 *
 * @param before {@code null} for a new subscriber
 * @param after {@code null} for a deletion
 */
public record SubscriberBatch(
        @Nullable Versioned<Subscriber> before, @Nullable Subscriber after, Instant now) {

    public SubscriberBatch {
        if (before != null && after != null) {
            after = after.withIndexMark(before.value().bookkeeping().index());
        }
    }

    /** Returns a copy with the shard's mark for a new subscriber. */
    public SubscriberBatch withIndexMark(IndexMark mark) {
        return before == null && after != null ? new SubscriberBatch(null, after.withIndexMark(mark), now) : this;
    }

    public List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        if (after != null) {
            writes.add(store(after));
            storeSatellites(after, writes);
        } else if (before != null) {
            remove(before, writes);
        }
        changeIndex(writes);
        return writes;
    }

    private void changeIndex(List<Write> writes) {
        Map<String, Write> next = after == null ? Map.of() : IndexRows.of(after);
        Map<String, Write> old = before == null ? Map.of() : IndexRows.of(before.value());
        old.keySet().stream().filter(key -> !next.containsKey(key)).forEach(key -> writes.add(Write.delete(key)));
        next.forEach((key, write) -> {
            if (!old.containsKey(key)) {
                writes.add(write);
            }
        });
    }

    boolean changesCounts() {
        return !applyTo(SubscriberCounts.NONE).equals(SubscriberCounts.NONE);
    }

    public SubscriberCounts applyTo(SubscriberCounts counts) {
        SubscriberCounts left = before == null ? counts : counts.plus(before.value(), -1);
        return after == null ? left : left.plus(after, 1);
    }

    /** Returns whether the batch writes a {@code wait:} row, which has to be announced in the index first. */
    boolean beginsChore() {
        return after != null
                && after.bookkeeping().chore() != null
                && after.bookkeeping().chore() != marksBefore().chore();
    }

    private Write store(Subscriber subscriber) {
        Values values = SubscriberRow.values(subscriber);
        return before == null
                ? Write.insert(subscriber.rowKey(), values)
                : new Write.Replace(subscriber.rowKey(), values, before.etag());
    }

    private void storeSatellites(Subscriber subscriber, List<Write> writes) {
        String folded = subscriber.address().folded();
        Bookkeeping old = marksBefore();
        Bookkeeping bookkeeping = subscriber.bookkeeping();
        if (before == null || !before.value().guid().equals(subscriber.guid())) {
            writes.add(new GuidRow(subscriber.address(), null).upsert(subscriber.guid()));
        }
        if (bookkeeping.leftAt() != null && !Objects.equals(bookkeeping.leftAt(), old.leftAt())) {
            writes.add(Write.upsert(
                    SubscriberKeys.left(folded), DepartureReason.of(subscriber).row(subscriber)));
        } else if (bookkeeping.leftAt() == null && old.leftAt() != null) {
            writes.add(Write.delete(SubscriberKeys.left(folded)));
        }
        if (beginsChore()) {
            writes.add(WaitRow.of(subscriber, now).upsert());
        } else if (bookkeeping.chore() == null && old.chore() != null) {
            writes.add(Write.delete(SubscriberKeys.waiting(folded)));
        }
    }

    /**
     * Deletes all rows, except for the look-up row of a person who moved, which keeps forwarding but loses its address.
     */
    private static void remove(Versioned<Subscriber> gone, List<Write> writes) {
        Subscriber subscriber = gone.value();
        String folded = subscriber.address().folded();
        writes.add(new Write.Delete(subscriber.rowKey(), gone.etag()));
        if (subscriber.bookkeeping().movedTo() == null) {
            writes.add(Write.delete(SubscriberKeys.guid(subscriber.guid())));
        }
        if (subscriber.bookkeeping().leftAt() != null) {
            writes.add(Write.delete(SubscriberKeys.left(folded)));
        }
        if (subscriber.bookkeeping().chore() != null) {
            writes.add(Write.delete(SubscriberKeys.waiting(folded)));
        }
    }

    private Bookkeeping marksBefore() {
        return before == null ? Bookkeeping.NONE : before.value().bookkeeping();
    }
}
