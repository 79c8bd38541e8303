package org.azuremail.subscription.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.azuremail.field.FieldStore;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.IndexRows;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberBatch;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Converts subscribers to the fields of their list, one page of a shard at a time: it converts values to the form of
 * their type, removes values of removed fields, and writes the index rows of searchable fields. Every change is
 * conditional on the ETag of the subscriber's row, so a page may be repeated, and other callers may change the same
 * subscribers at the same time.
 */
record SubscriberConverter(TableStore tables, ShardWriter writer, ListStore lists, FieldStore fields, Time time) {

    private static final int PAGE = 1000;
    private static final int PARALLEL_READS = 100;

    /**
     * The result of a page.
     *
     * @param last the row after which the next page begins; {@code null} after the last page
     */
    record Converted(@Nullable String last, long subscribers) {}

    /** @return whether every subscriber is converted; otherwise the time was over, or the fields have changed */
    boolean all(MailingList list, IndexState.Run run, Duration until) {
        for (int shard = 0; shard < list.shards(); shard++) {
            String after = null;
            do {
                Optional<Converted> page =
                        time.elapsed().compareTo(until) < 0 ? page(list, run, shard, after) : Optional.empty();
                if (page.isEmpty()) {
                    return false;
                }
                after = page.get().last();
            } while (after != null);
        }
        return true;
    }

    /**
     * Converts a page of a shard.
     *
     * @param after the last row of the previous page; {@code null} for the first page
     * @return empty if the fields have changed, which started another run
     */
    Optional<Converted> page(MailingList list, IndexState.Run run, int shard, @Nullable String after) {
        ListFields wanted = fields.of(list);
        if (wanted.revision() != run.revision()) {
            return Optional.empty();
        }
        if (after == null) {
            new ShardCounts(tables, list.name(), shard).mark(wanted.index());
        }
        boolean inIndex = after != null && after.startsWith(SubscriberKeys.INDEX);
        Converted page = inIndex ? index(list.name(), shard, after) : subscribers(list.name(), shard, wanted, after);
        boolean last = page.last() != null || inIndex || !run.check();
        return Optional.of(last ? page : new Converted(SubscriberKeys.INDEX, page.subscribers()));
    }

    private Converted subscribers(ListName list, int shard, ListFields wanted, @Nullable String after) {
        String partition = SubscriberKeys.partition(list, shard);
        Page<Row> page = page(partition, SubscriberKeys.EMAIL, after);
        IndexMark mark = wanted.index();
        Set<String> removed = removed(list, wanted);
        List<SubscriberBatch> due = new ArrayList<>();
        for (Row row : page.items()) {
            Versioned<Subscriber> read = SubscriberRow.subscriber(list, row);
            Subscriber next = converted(read.value(), wanted, mark, removed);
            if (!next.equals(read.value())) {
                due.add(new SubscriberBatch(read, next, time.instant()));
            }
        }
        write(partition, due, current -> converted(current, wanted, mark, removed(list, wanted)));
        return new Converted(Rows.nextAfter(page), page.items().size());
    }

    /**
     * Returns the removed fields. The list's attributes are read after the subscribers: by then, a removed field that
     * an import brought back is an attribute again.
     */
    private Set<String> removed(ListName list, ListFields wanted) {
        Set<String> removed = new HashSet<>(wanted.removed());
        lists.find(list).ifPresent(now -> removed.removeAll(now.value().attributes()));
        return removed;
    }

    /** Deletes index rows without a subscriber; a process of an older version may have left them. */
    private Converted index(ListName list, int shard, @Nullable String after) {
        String partition = SubscriberKeys.partition(list, shard);
        Page<Row> page = page(partition, SubscriberKeys.INDEX, after);
        for (int from = 0; from < page.items().size(); from += PARALLEL_READS) {
            List<Row> some = page.items().subList(from, Math.min(page.items().size(), from + PARALLEL_READS));
            List<Optional<Subscriber>> subscribers = IndexRows.subscribers(tables, list, some);
            for (int i = 0; i < some.size(); i++) {
                if (subscribers.get(i).isEmpty()) {
                    tables.write(SubscriptionStore.TABLE, partition, Write.delete(some.get(i)));
                }
            }
        }
        return new Converted(Rows.nextAfter(page), 0);
    }

    private Page<Row> page(String partition, String prefix, @Nullable String after) {
        KeyRange range = KeyRange.prefixAfter(partition, prefix, after);
        return Rows.first(tables, SubscriptionStore.TABLE, range, PAGE, null);
    }

    /** Writes a batch. If it is refused because one of its subscribers has changed, writes them one by one. */
    private void write(String partition, List<SubscriberBatch> due, UnaryOperator<Subscriber> inLine) {
        int from = 0;
        while (from < due.size()) {
            BatchBudget budget = new BatchBudget(partition, TableStore.MAX_BATCH);
            List<Write> writes = new ArrayList<>();
            int to = from;
            while (to < due.size()) {
                List<Write> some = due.get(to).writes();
                if (!budget.tryAdd(some)) {
                    break;
                }
                writes.addAll(some);
                to++;
            }
            if (!tables.write(SubscriptionStore.TABLE, partition, writes).written()) {
                due.subList(from, to).forEach(batch -> writeAlone(batch, inLine));
            }
            from = to;
        }
    }

    private void writeAlone(SubscriberBatch refused, UnaryOperator<Subscriber> inLine) {
        Subscriber read = Objects.requireNonNull(refused.after());
        writer.change(read.list(), read.shard(), read.address(), current -> {
            Subscriber now = current == null ? null : current.value();
            Subscriber next = now == null ? null : inLine.apply(now);
            return next == null || next.equals(now)
                    ? SubscriberChange.nothing(false)
                    : SubscriberChange.store(next, stored -> true);
        });
    }

    private static Subscriber converted(Subscriber subscriber, ListFields fields, IndexMark mark, Set<String> removed) {
        Map<String, String> values = subscriber.profile().attributes();
        Map<String, String> fitting = new TreeMap<>(values);
        fitting.keySet().removeAll(removed);
        fitting.replaceAll(fields::normalize);
        Subscriber marked = subscriber.withIndexMark(mark);
        boolean fits = fitting.values().stream().mapToInt(String::length).sum() <= Profile.MAX_TOTAL;
        return fitting.equals(values) || !fits
                ? marked
                : marked.withProfile(new Profile(subscriber.profile().name(), fitting));
    }
}
