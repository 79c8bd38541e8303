package org.azuremail.subscription;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Changes one subscriber: reads, asks for a decision, and writes the subscriber, its satellite rows and the shard's
 * counts in one batch under the ETags that were read. When somebody else was faster it reads and asks again. When the
 * answer of a write that happened was lost, it finds its own subscriber stored and gives the result of the first
 * decision.
 *
 * <p>Threads of one process take turns at writing to a shard, so that its count row is seldom contended; who has nothing
 * to write waits for nobody.
 */
final class ShardWriter {

    private static final int STRIPES = 64;
    private static final int MAX_ATTEMPTS = 200;
    private static final int ATTEMPTS_WITHOUT_PAUSE = 4;

    private final TableStore tables;
    private final ChoreIndex index;
    private final Time time;
    private final List<Lock> locks = IntStream.range(0, STRIPES)
            .<Lock>mapToObj(stripe -> new ReentrantLock())
            .toList();

    ShardWriter(TableStore tables, ChoreIndex index, Time time) {
        this.tables = tables;
        this.index = index;
        this.time = time;
    }

    /** Decides on what is stored; without side effects, for it may be asked again. */
    @FunctionalInterface
    interface Decision<R> {
        Change<R> on(@Nullable Versioned<Subscriber> current);
    }

    <R> R change(ListName list, int shard, EmailAddress address, Decision<R> decision) {
        Attempts<R> attempts = new Attempts<>(list, shard, address, decision);
        if (attempts.nothingToWrite()) {
            return attempts.result();
        }
        Lock lock = lock(list, shard);
        lock.lock();
        try {
            return attempts.run();
        } finally {
            lock.unlock();
        }
    }

    /** What threads of this process hold while they change a shard. */
    Lock lock(ListName list, int shard) {
        return locks.get(Math.floorMod(list.value().hashCode() * 31 + shard, STRIPES));
    }

    /** The row that counts a shard, changed; to be written in the batch that changes what it counts. */
    static Write countWrite(@Nullable Row row, SubscriberCounts counts) {
        return row == null
                ? Write.insert(SubscriberKeys.COUNT, counts.toValues())
                : Write.replace(row, counts.toValues());
    }

    /** The row of somebody, or that there is none. */
    private record Found(
            @Nullable Versioned<Subscriber> subscriber,
            @Nullable Values values) {}

    private Found find(ListName list, String partition, EmailAddress address) {
        return tables.get(SubscriptionStore.TABLE, partition, SubscriberKeys.email(address.folded()))
                .map(row -> new Found(SubscriberRow.subscriber(list, row), row.values()))
                .orElseGet(() -> new Found(null, null));
    }

    /** Reads and decides before it takes its turn: what is written carries the ETag of what was read. */
    private final class Attempts<R> {

        private final ListName list;
        private final int shard;
        private final EmailAddress address;
        private final Decision<R> decision;
        private final String partition;
        private Found found;
        private Change<R> decided;
        private @Nullable Values attempted;

        Attempts(ListName list, int shard, EmailAddress address, Decision<R> decision) {
            this.list = list;
            this.shard = shard;
            this.address = address;
            this.decision = decision;
            this.partition = SubscriberKeys.partition(list, shard);
            this.found = find(list, partition, address);
            this.decided = decision.on(found.subscriber());
        }

        boolean nothingToWrite() {
            return decided.kind() == Change.Kind.NOTHING;
        }

        R result() {
            return decided.result().apply(found.subscriber());
        }

        /** Writes, and as often as somebody else was faster decides anew. */
        R run() {
            boolean missing = false;
            for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
                WriteResult result = write(found.subscriber(), decided, missing);
                if (result instanceof WriteResult.Written written) {
                    return decided.result().apply(stored(decided, written));
                }
                missing = result instanceof WriteResult.Missing;
                pause(attempt);
                found = find(list, partition, address);
                if (attempted != null && Objects.equals(attempted, found.values())) {
                    return result();
                }
                decided = decision.on(found.subscriber());
                if (nothingToWrite()) {
                    return result();
                }
            }
            throw new StorageException(
                    StorageException.Reason.THROTTLED, "shard " + partition + " keeps changing", null);
        }

        private WriteResult write(@Nullable Versioned<Subscriber> current, Change<R> change, boolean checkDeletes) {
            SubscriberBatch batch = new SubscriberBatch(current, change.after(), time.instant());
            List<Write> writes = new ArrayList<>(batch.writes());
            writes.addAll(change.further());
            if (checkDeletes) {
                writes.removeIf(this::deletesWhatIsGone);
            }
            if (batch.changesCounts()) {
                Row counts = tables.get(SubscriptionStore.TABLE, partition, SubscriberKeys.COUNT)
                        .orElse(null);
                SubscriberCounts before =
                        counts == null ? SubscriberCounts.NONE : SubscriberCounts.from(counts.values());
                writes.add(countWrite(counts, batch.applyTo(before)));
            }
            attempted = change.after() == null ? null : SubscriberRow.values(change.after());
            return batch.beginsChore() ? writeAnnounced(writes) : write(writes);
        }

        private WriteResult writeAnnounced(List<Write> writes) {
            ChoreIndex.Place place = new ChoreIndex.Place(list, shard);
            index.announce(place);
            WriteResult result = write(writes);
            index.ensure(place);
            return result;
        }

        private WriteResult write(List<Write> writes) {
            return tables.write(SubscriptionStore.TABLE, partition, writes);
        }

        /** A satellite that somebody removed by hand must not block its subscriber for ever. */
        private boolean deletesWhatIsGone(Write write) {
            return write instanceof Write.Delete delete
                    && delete.etag().equals(Write.ANY)
                    && tables.get(SubscriptionStore.TABLE, partition, delete.rowKey())
                            .isEmpty();
        }

        private @Nullable Versioned<Subscriber> stored(Change<R> change, WriteResult.Written written) {
            return change.after() == null ? null : new Versioned<>(change.after(), written.etag());
        }
    }

    private void pause(int attempt) {
        if (attempt <= ATTEMPTS_WITHOUT_PAUSE) {
            return;
        }
        try {
            time.sleep(Duration.ofMillis(Math.min(100, 2L * attempt)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(StorageException.Reason.UNAVAILABLE, "interrupted while writing", e);
        }
    }
}
