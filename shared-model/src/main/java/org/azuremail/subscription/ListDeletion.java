package org.azuremail.subscription;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.list.Logos;
import org.azuremail.list.MailingList;
import org.azuremail.list.SegmentStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes lists. A list is marked first, and accepts no subscribers or messages from then on. Once no message of the
 * list is left, its shards are closed, its subscribers are removed in batches, and the list's other rows follow. Its
 * name is freed last. After a crash, the next run continues.
 */
public record ListDeletion(
        ListStore lists,
        TableStore tables,
        SubscriberChores chores,
        ListUse use,
        Logos logos,
        Signals signals,
        PersonDirectory directory,
        ServiceChoreIndex index,
        SubscriptionStore store,
        Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(ListDeletion.class);

    private static final String NAME = "list-deletion";

    /** The row that versions before 0.2 wrote when they began to delete a list. */
    private static final String OLD_ROW = "deleting";

    /** How long a process without others rests while no list is being deleted; the beginning of a deletion wakes it. */
    private static final Duration SLOW_POLL = Duration.ofDays(1);

    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(5);

    /** The partition of deleted lists whose closed shards still exist. */
    private static final String DELETED = ".deleted";

    /** Longer than a call may take that read the list before it was marked. */
    private static final Duration SETTLED = Duration.ofMinutes(2);

    /**
     * Marks a list for deletion, which then happens in the background.
     *
     * @return false if no such list exists
     */
    public boolean begin(ListName list) {
        index.announce(NAME, time.instant());
        boolean exists = lists.markDeleting(list).done().isPresent();
        if (exists) {
            deleteAtOnceIfEmpty(list);
            signals.runSoon(NAME);
        }
        return exists;
    }

    /**
     * Deletes a list without subscribers at once, so that its name is usually free immediately. If that fails, the
     * service does it.
     */
    private void deleteAtOnceIfEmpty(ListName name) {
        try {
            lists.findValue(name)
                    .filter(list -> store.counts(list).total() == 0)
                    .ifPresent(this::resume);
        } catch (StorageException later) {
            LOG.info("list {} is deleted a little later: {}", name, later.toString());
        }
    }

    /** Returns the service that continues the deletion of all marked lists; one role runs it. */
    public ScheduledService service() {
        AtomicBoolean someLeft = new AtomicBoolean();
        return ScheduledService.daily(
                NAME, () -> someLeft.get() ? RETRY_INTERVAL : SLOW_POLL, () -> resumeAll(someLeft));
    }

    private void resumeAll(AtomicBoolean someLeft) {
        someLeft.set(true);
        Optional<Row> chore = index.of(NAME);
        List<MailingList> deleting =
                lists.all().stream().filter(MailingList::deleting).toList();
        deleting.forEach(this::resume);
        someLeft.set(!deleting.isEmpty() && lists.all().stream().anyMatch(MailingList::deleting));
        if (deleteClosedShards() && !someLeft.get()) {
            chore.ifPresent(row -> index.removeIfSettled(row, time.instant()));
        }
    }

    /**
     * Closes the shards first: from then on, no process can add a subscriber, and no row is added after the sweep. If
     * this process was suspended while another one finished and a new list took the name, the new list is not touched.
     */
    private void resume(MailingList list) {
        ListName name = list.name();
        if (!use.endMessages(name) || !removeSubscribers(list)) {
            return;
        }
        List<Consumer<ListName>> rest = List.of(
                gone -> tables.write(ListStore.TABLE, gone.value(), Write.delete(OLD_ROW)),
                gone -> tables.write(
                        ListStore.TABLE,
                        DELETED,
                        Write.upsert(
                                gone.value(),
                                Values.of("RemovedAt", time.instant()).with("Shards", list.shards()))),
                gone -> new SegmentStore(tables).deleteAll(gone, lists::isDeleting),
                gone -> GrowthStore.forget(tables, gone, lists::isDeleting),
                gone -> FieldIndex.forget(tables, gone, lists::isDeleting),
                gone -> Templates.forget(tables, gone, lists::isDeleting),
                gone -> RateLimit.forgetList(tables, gone.value(), () -> !lists.isDeleting(gone)),
                gone -> logos.deleteUnused(list.brand(), Brand.NONE));
        for (Consumer<ListName> step : rest) {
            if (!lists.isDeleting(name)) {
                return;
            }
            step.accept(name);
        }
        lists.remove(name);
        LOG.info("list {} is deleted", name);
    }

    /** @return false if the name belongs to a list that is not being deleted */
    private boolean removeSubscribers(MailingList list) {
        ListName name = list.name();
        for (int shard = 0; shard < list.shards(); shard++) {
            chores.finishMoves(list, shard);
            if (!new ShardCounts(tables, name, shard).close(lists)) {
                return false;
            }
        }
        for (int shard = 0; shard < list.shards(); shard++) {
            removeFromDirectory(name, shard);
            ShardCounts counts = new ShardCounts(tables, name, shard);
            if (!counts.sweep()) {
                return false;
            }
            counts.resetToZero();
        }
        return true;
    }

    private void removeFromDirectory(ListName list, int shard) {
        String after = null;
        do {
            Page<Subscriber> page = store.shardPage(list, shard, after, TableStore.MAX_PAGE);
            directory.removeAll(
                    list, page.items().stream().map(Subscriber::address).toList());
            after = page.continuation();
        } while (after != null);
    }

    private boolean deleteClosedShards() {
        boolean all = true;
        for (Row row : Rows.all(tables, ListStore.TABLE, KeyRange.partition(DELETED))) {
            if (row.values().requireInstant("RemovedAt").plus(SETTLED).isBefore(time.instant())) {
                ListName name = new ListName(row.rowKey());
                int shards = row.values().integer("Shards", 0);
                IntStream.range(0, shards).forEach(shard -> new ShardCounts(tables, name, shard).forget());
                tables.write(ListStore.TABLE, DELETED, Write.delete(row));
            } else {
                all = false;
            }
        }
        return all;
    }
}
