package org.azuremail.subscription.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.ShardChoreIndex.ShardRef;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Changes one subscriber: reads the row, gets a decision, and writes the subscriber, the satellite rows and the shard's
 * counts in one batch under the ETags that it read. If another process was faster, it reads and decides again. If a
 * write succeeded but its answer was lost, it finds its own subscriber stored and returns the result of the first
 * decision.
 *
 * <p>Threads of one process take turns at writing to a shard, so its count row is seldom contended. The thread with the
 * turn also writes the changes of waiting threads, all in one batch; if that fails, each thread continues alone and
 * gets its own result. A thread with nothing to write does not wait.
 */
public final class ShardWriter {

    private static final int STRIPES = 64;
    private static final int ATTEMPTS_WITHOUT_PAUSE = 4;

    /** The most changes of a batch, provided that they fit. */
    private static final int MAX_TOGETHER = 16;

    private final TableStore tables;
    private final ListStore lists;
    private final ShardChoreIndex index;
    private final PersonDirectory directory;
    private final Time time;
    private final List<Stripe> stripes =
            IntStream.range(0, STRIPES).mapToObj(stripe -> new Stripe()).toList();

    public ShardWriter(
            TableStore tables, ListStore lists, ShardChoreIndex index, PersonDirectory directory, Time time) {
        this.tables = tables;
        this.lists = lists;
        this.index = index;
        this.directory = directory;
        this.time = time;
    }

    /** Decides by the stored subscriber. Side effects must be repeatable, because it may be called again. */
    @FunctionalInterface
    public interface Decision<R> {
        SubscriberChange<R> decide(@Nullable Versioned<Subscriber> current);
    }

    private record Stripe(Lock lock, Queue<PendingChange<?>> waiting) {

        Stripe() {
            this(new ReentrantLock(), new ConcurrentLinkedQueue<>());
        }
    }

    /** Makes a change that adds no subscriber. */
    public <R> R change(ListName list, int shard, EmailAddress address, Decision<R> decision) {
        return change(new ShardRef(list, shard), null, address, decision);
    }

    /**
     * Makes a change that may add a subscriber to the list.
     *
     * @throws ShardCounts.ListDeletedException if it adds a subscriber, and the list was deleted after the caller had
     *     read it
     */
    public <R> R change(MailingList list, int shard, EmailAddress address, Decision<R> decision) {
        return change(new ShardRef(list.name(), shard), list, address, decision);
    }

    private <R> R change(ShardRef shard, @Nullable MailingList targetList, EmailAddress address, Decision<R> decision) {
        Versioned<Subscriber> found = new SubscriptionStore(tables)
                .find(shard.list(), shard.shard(), address)
                .orElse(null);
        return write(new PendingChange<>(tables, shard, targetList, address, found, decision));
    }

    /** Makes a change without a first read, for a version that the caller knows. */
    public <R> R change(Versioned<Subscriber> known, Decision<R> decision) {
        Subscriber subscriber = known.value();
        ShardRef shard = new ShardRef(subscriber.list(), subscriber.shard());
        return write(new PendingChange<>(tables, shard, null, subscriber.address(), known, decision));
    }

    private <R> R write(PendingChange<R> change) {
        if (change.settled()) {
            return change.result();
        }
        if (change.removes()) {
            directory.removeAll(change.shard().list(), List.of(change.address()));
            String marks = SubscriberKeys.greeted(change.address().folded());
            Rows.deleteAll(
                    tables,
                    SubscriptionStore.TABLE,
                    KeyRange.prefix(change.shard().partition(), marks));
        }
        writeInTurn(change);
        if (change.added()) {
            directory.add(change.shard().list(), change.address());
        }
        return change.result();
    }

    private void writeInTurn(PendingChange<?> change) {
        Stripe turn = stripe(change.shard().list(), change.shard().shard());
        turn.waiting().add(change);
        turn.lock().lock();
        try {
            turn.waiting().remove(change);
            if (!change.settled()) {
                new Attempts(change.shard()).settle(change, turn.waiting());
            }
        } finally {
            turn.lock().unlock();
        }
    }

    /** Returns the directory, for code that writes subscribers without this class. */
    public PersonDirectory directory() {
        return directory;
    }

    /** Returns the counts of a shard, for code that adds subscribers to it without this class. */
    public ShardCounts.CountRow counts(MailingList list, int shard) {
        return ShardCounts.readForAdd(tables, lists, list, shard);
    }

    /** Returns the lock that threads of this process hold while they change a shard. */
    public Lock lock(ListName list, int shard) {
        return stripe(list, shard).lock();
    }

    /** Returns how many callers wait for a turn at this shard, or at another with the same lock. */
    public int waiting(ListName list, int shard) {
        return stripe(list, shard).waiting().size();
    }

    private Stripe stripe(ListName list, int shard) {
        return stripes.get(Math.floorMod(list.value().hashCode() * 31 + shard, STRIPES));
    }

    private final class Attempts {

        private final ShardRef shardRef;
        private final String partition;
        private int attempts;
        private boolean missing;

        Attempts(ShardRef shardRef) {
            this.shardRef = shardRef;
            this.partition = shardRef.partition();
        }

        void settle(PendingChange<?> change, Queue<PendingChange<?>> waiting) {
            if (change.mayShare() && !waiting.isEmpty()) {
                writeShared(change, waiting);
            }
            if (!change.settled()) {
                settleAlone(change);
            }
        }

        /** Writes the change and as many waiting ones as fit in one batch. */
        private void writeShared(PendingChange<?> change, Queue<PendingChange<?>> waiting) {
            List<PendingChange<?>> some = together(change, waiting);
            if (some.size() == 1) {
                return;
            }
            ShardCounts.@Nullable CountRow counted;
            try {
                counted = counted(some);
            } catch (StorageException refused) {
                if (change.adds()) {
                    throw refused;
                }
                // The refusal may concern another change, which adds a subscriber to a deleted list.
                return;
            }
            List<PendingChange<?>> group = new ArrayList<>();
            try {
                BatchBudget budget = new BatchBudget(partition, TableStore.MAX_BATCH - 1);
                some.stream()
                        .filter(one -> budget.tryAdd(batch(one, counted).writes()))
                        .forEach(group::add);
                write(group, counted, false);
            } finally {
                group.forEach(PendingChange::requireOwnBatch);
            }
        }

        private List<PendingChange<?>> together(PendingChange<?> change, Queue<PendingChange<?>> waiting) {
            Set<String> people = new HashSet<>(Set.of(change.address().folded()));
            Set<Instant> joined = new HashSet<>();
            return Stream.concat(
                            Stream.of(change),
                            waiting.stream()
                                    .filter(other -> other.shard().equals(shardRef) && other.mayShare())
                                    .filter(other -> people.add(other.address().folded())))
                    .filter(one -> one.addsToSameList(joined))
                    .limit(MAX_TOGETHER)
                    .toList();
        }

        private void settleAlone(PendingChange<?> change) {
            ConditionalWrites.retryUntilDone("shard " + partition, () -> {
                attempts++;
                missing = write(List.of(change), counted(List.of(change)), missing) instanceof WriteResult.Missing;
                if (!change.settled()) {
                    pause(attempts);
                    change.readAgain();
                }
                return change.settled();
            });
        }

        /**
         * Reads the counts before the changes are converted to rows, because they contain the fields that are indexed
         * for new subscribers.
         */
        private ShardCounts.@Nullable CountRow counted(List<PendingChange<?>> group) {
            if (group.stream().noneMatch(PendingChange::changesCounts)) {
                return null;
            }
            return group.stream()
                    .filter(PendingChange::adds)
                    .findFirst()
                    .map(one -> ShardCounts.readForAdd(tables, lists, one.requireTargetList(), shardRef.shard()))
                    .orElseGet(() -> new ShardCounts(tables, shardRef.list(), shardRef.shard()).readForChange());
        }

        private SubscriberBatch batch(PendingChange<?> change, ShardCounts.@Nullable CountRow counted) {
            return change.batch(time.instant(), counted == null ? IndexMark.NONE : counted.index());
        }

        private WriteResult write(
                List<PendingChange<?>> group, ShardCounts.@Nullable CountRow counted, boolean checkDeletes) {
            List<Write> writes = new ArrayList<>();
            List<SubscriberBatch> batches = new ArrayList<>();
            int[] first = new int[group.size()];
            for (int i = 0; i < first.length; i++) {
                first[i] = writes.size();
                batches.add(batch(group.get(i), counted));
                writes.addAll(batches.get(i).writes());
                writes.addAll(group.get(i).extraWrites());
            }
            if (checkDeletes) {
                writes.removeIf(this::deletesMissingRow);
            }
            if (counted != null) {
                writes.add(after(counted, batches).write());
            }
            boolean announced = batches.stream().anyMatch(SubscriberBatch::beginsChore);
            WriteResult result = announced ? writeAnnounced(writes) : write(writes);
            if (result instanceof WriteResult.Written written) {
                for (int i = 0; i < first.length; i++) {
                    group.get(i).written(written.etags().get(first[i]));
                }
            }
            return result;
        }

        private static ShardCounts.CountRow after(ShardCounts.CountRow counted, List<SubscriberBatch> batches) {
            ShardCounts.CountRow changed = counted;
            for (SubscriberBatch batch : batches) {
                changed = changed.after(batch);
            }
            return changed;
        }

        private WriteResult writeAnnounced(List<Write> writes) {
            index.announce(shardRef);
            WriteResult result = write(writes);
            index.ensure(shardRef);
            return result;
        }

        private WriteResult write(List<Write> writes) {
            return tables.write(SubscriptionStore.TABLE, partition, writes);
        }

        /**
         * Returns whether to leave out the deletion of a satellite row that no longer exists, perhaps because it was
         * deleted by hand, so that it cannot block its subscriber.
         */
        private boolean deletesMissingRow(Write write) {
            return write instanceof Write.Delete delete
                    && delete.etag().equals(Write.ANY)
                    && tables.get(SubscriptionStore.TABLE, partition, delete.rowKey())
                            .isEmpty();
        }
    }

    private void pause(int attempt) {
        if (attempt <= ATTEMPTS_WITHOUT_PAUSE) {
            return;
        }
        if (!time.pause(Duration.ofMillis(Math.min(100, 2L * attempt)))) {
            throw new StorageException(StorageException.Reason.UNAVAILABLE, "interrupted while writing", null);
        }
    }
}
