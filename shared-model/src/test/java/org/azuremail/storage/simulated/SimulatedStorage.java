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
 * A storage in memory that does what the ports promise and no more. The same calls in the same order give the same
 * answers. Safe for use from many threads. Its contents outlive every "process" of a test: make new services on the
 * same storage to simulate a restart.
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

    /** Pages are as long as they are asked for, and never empty before the end. */
    public SimulatedStorage(Time time) {
        this(time, new Paging(TableStore.MAX_PAGE, false), StoredRow.whole());
    }

    /** Pages have at most {@code pageLimit} entries, and every other page of a walk is empty and continues. */
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

    /** A storage for millions of rows. Each takes less than half of the memory and is read more slowly. */
    public static SimulatedStorage forMillions(Time time) {
        return new SimulatedStorage(time, new Paging(TableStore.MAX_PAGE, false), StoredRow.packed());
    }

    /** Copies the present contents into a storage of its own, like a backup of one moment. */
    public synchronized SimulatedStorage copy() {
        SimulatedStorage copy = new SimulatedStorage(time, paging, keeping);
        copy.sequence = sequence;
        copy.tables.copyOf(tables);
        copy.queues.copyOf(queues);
        copy.blobs.copyOf(blobs);
        return copy;
    }

    /** The tables, queues and containers that exist so far. */
    public synchronized Storage.Inventory inventory() {
        return new Storage.Inventory(
                new TreeSet<>(tables.names()), new TreeSet<>(queues.names()), new TreeSet<>(blobs.names()));
    }

    /** Deletes a queue with all its items, as a person might. */
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

    /** Calls this hook at every call from now on; {@link CallHook#NONE} removes it. */
    public void hook(CallHook newHook) {
        this.hook = newHook;
    }

    /** The number of calls that began so far; the next call has this number plus one. */
    public synchronized long calls() {
        return number;
    }

    /** The number of calls of this kind that began so far. */
    public synchronized long calls(Call.Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** The number of calls of each kind that began so far. */
    public synchronized Map<Call.Kind, Long> callsByKind() {
        return new EnumMap<>(counts.isEmpty() ? new EnumMap<>(Call.Kind.class) : counts);
    }

    /** Sets all counters back; the numbers of calls begin at 1 again. */
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

    /** Never the same twice: ETags, item ids and receipts. */
    long nextSequence() {
        return ++sequence;
    }

    private synchronized Call begin(Call.Kind kind, String place, String partition, String description) {
        counts.merge(kind, 1L, Long::sum);
        return new Call(kind, place, partition, description, ++number);
    }
}
