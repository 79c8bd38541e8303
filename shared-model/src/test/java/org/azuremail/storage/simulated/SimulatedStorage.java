package org.azuremail.storage.simulated;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.time.Time;

/**
 * A storage in memory that does exactly what the ports promise. The same calls in the same order give the same answers.
 * Safe for use from many threads. To simulate a restart, create new services on the same storage.
 */
public final class SimulatedStorage {

    private final Storage storage;
    private final SimulatedTables tables;
    private final SimulatedQueues queues;
    private final SimulatedBlobs blobs;
    private final Map<Call.Kind, Long> counts = new EnumMap<>(Call.Kind.class);
    private final Time time;
    private final Paging paging;
    private final Function<Row, StoredRow> keeping;
    private volatile CallHook hook = CallHook.NONE;
    private long number;
    private long sequence;

    /** Creates a storage with pages of the requested length, of which none is empty before the end. */
    public SimulatedStorage(Time time) {
        this(time, new Paging(TableStore.MAX_PAGE, false), StoredRow.whole());
    }

    /**
     * Creates a storage with pages of at most {@code pageLimit} entries. Every other page of a walk is empty and has a
     * continuation.
     */
    public SimulatedStorage(Time time, int pageLimit) {
        this(time, new Paging(pageLimit, true), StoredRow.whole());
    }

    private SimulatedStorage(Time time, Paging paging, Function<Row, StoredRow> keeping) {
        this.time = time;
        this.paging = paging;
        this.keeping = keeping;
        this.tables = new SimulatedTables(this, paging, keeping);
        this.queues = new SimulatedQueues(this, time);
        this.blobs = new SimulatedBlobs(this, paging, time);
        this.storage = new Storage(tables, queues, blobs);
    }

    /** Returns a storage for millions of rows. Each row takes less than half of the memory but is read more slowly. */
    public static SimulatedStorage forMillions(Time time) {
        return new SimulatedStorage(time, new Paging(TableStore.MAX_PAGE, false), StoredRow.packed());
    }

    /** Copies the present contents to a separate storage, like a backup of one moment. */
    public synchronized SimulatedStorage copy() {
        SimulatedStorage copy = new SimulatedStorage(time, paging, keeping);
        copy.sequence = sequence;
        copy.tables.copyOf(tables);
        copy.queues.copyOf(queues);
        copy.blobs.copyOf(blobs);
        return copy;
    }

    /** Returns the tables, queues and containers that exist. */
    public synchronized Storage.Inventory inventory() {
        return new Storage.Inventory(
                new TreeSet<>(tables.names()), new TreeSet<>(queues.names()), new TreeSet<>(blobs.names()));
    }

    /** Deletes a queue with all its items, like an admin of the account. */
    public synchronized void deleteQueue(String queue) {
        queues.names().remove(queue);
    }

    public Storage storage() {
        return storage;
    }

    public TableStore tables() {
        return storage.tables();
    }

    public QueueStore queues() {
        return storage.queues();
    }

    public BlobStore blobs() {
        return storage.blobs();
    }

    /** Runs this hook at every call from now on; {@link CallHook#NONE} removes it. */
    public void hook(CallHook newHook) {
        this.hook = newHook;
    }

    /** Returns the number of calls that have begun; the next call has this number plus one. */
    public synchronized long calls() {
        return number;
    }

    /** Returns the number of calls of this kind that have begun. */
    public synchronized long calls(Call.Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Returns the number of calls of each kind that have begun. */
    public synchronized Map<Call.Kind, Long> callsByKind() {
        return new EnumMap<>(counts.isEmpty() ? new EnumMap<>(Call.Kind.class) : counts);
    }

    /** Resets all counters; the numbers of calls begin at 1 again. */
    public synchronized void resetCounters() {
        counts.clear();
        number = 0;
    }

    <T> T call(Call.Kind kind, String place, String partition, Supplier<String> description, Supplier<T> action) {
        CallHook current = hook;
        Call call = begin(kind, place, partition, current == CallHook.NONE ? "" : description.get());
        current.before(call);
        T result;
        synchronized (this) {
            result = action.get();
        }
        current.after(call);
        return result;
    }

    /** Returns a unique number for ETags, item ids and receipts. */
    long nextSequence() {
        return ++sequence;
    }

    private synchronized Call begin(Call.Kind kind, String place, String partition, String description) {
        counts.merge(kind, 1L, Long::sum);
        return new Call(kind, place, partition, description, ++number);
    }
}
