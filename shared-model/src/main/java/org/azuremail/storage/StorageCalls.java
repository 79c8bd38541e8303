package org.azuremail.storage;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts the calls of this process to its storage: what an Azure Storage account charges for. One call of a port is one call
 * here, however it ended; a call that a port refuses as wrong before it leaves ({@link IllegalArgumentException}) is none. Two
 * things make an account count more than this does: a blob over some MiB is put in several blocks, each a transaction of its
 * own, and so is each repetition by the client library of a call whose answer was lost.
 *
 * <p>Counts only grow, from the start of the process. Counting costs a look-up and an addition, and never throws. Safe for
 * use from many threads; a snapshot is not one moment of all counts. As meters they are {@code azuremail.storage.calls} and
 * {@code azuremail.storage.entities}.
 */
public final class StorageCalls implements MeterBinder {

    /** The number of tables, of queues and of containers with counts of their own; more are counted together. */
    static final int MOST_NAMES = 500;

    /** Stands for all names beyond the first 500 of a store. */
    static final String OTHERS = "(others)";

    /** The three ports. */
    public enum Store {
        TABLE,
        QUEUE,
        BLOB
    }

    /** The calls of a port, by the name of its method. */
    public enum Operation {
        CREATE,
        GET,
        QUERY,
        WRITE,
        SEND,
        RECEIVE,
        RENEW,
        DELETE,
        PEEK,
        COUNT,
        PUT,
        OPEN,
        LIST
    }

    /** The ways in which a call can end. */
    public enum Outcome {
        /** With an answer, also with the answer that nothing is there. */
        OK,
        /** A condition did not hold: nothing was changed. */
        REFUSED,
        /** With a throw: nobody may know whether it was done. */
        FAILED
    }

    /** Calls that are counted together; {@code name} is that of the table, queue or container. */
    public record Kind(Store store, String name, Operation operation, Outcome outcome) implements Comparable<Kind> {

        @Override
        public int compareTo(Kind other) {
            int byStore = store.compareTo(other.store);
            int byName = byStore != 0 ? byStore : name.compareTo(other.name);
            int byOperation = byName != 0 ? byName : operation.compareTo(other.operation);
            return byOperation != 0 ? byOperation : outcome.compareTo(other.outcome);
        }
    }

    /**
     * A number of calls.
     *
     * @param entities rows that the calls wrote or gave back; of tables only. Rows that a query walked over without giving
     *     them back are not known here
     */
    public record Count(long calls, long entities) {}

    private final String roles;
    private final Map<Store, Map<String, Tallies>> tallies = new EnumMap<>(Store.class);
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    /** @param roles what this process does; a tag of its meters */
    public StorageCalls(String roles) {
        this.roles = roles;
        for (Store store : Store.values()) {
            tallies.put(store, new ConcurrentHashMap<>());
        }
    }

    /** The same storage, with every call counted here. */
    public Storage around(Storage real) {
        return new Storage(
                CheckedTables.of(real.tables()).countedBy(this),
                CheckedQueues.of(real.queues()).countedBy(this),
                CheckedBlobs.of(real.blobs()).countedBy(this));
    }

    /** All counts since the start of the process; kinds that never occurred are left out. */
    public Map<Kind, Count> snapshot() {
        Map<Kind, Count> counts = new TreeMap<>();
        tallies.values().forEach(names -> names.values().forEach(tallied -> tallied.addTo(counts)));
        return counts;
    }

    /** All calls since the start of the process. */
    public long total() {
        return snapshot().values().stream().mapToLong(Count::calls).sum();
    }

    /** From now on every count, also one that is yet to come, is a meter of this registry. */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        tallies.values().forEach(names -> names.values().forEach(tallied -> tallied.bindTo(registry)));
    }

    void count(Store store, String name, Operation operation, Outcome outcome, int entities) {
        tallies(store, name).of(operation, outcome).add(entities);
    }

    private Tallies tallies(Store store, String name) {
        Map<String, Tallies> names = names(store);
        Tallies known = names.get(name);
        return known != null ? known : newTallies(store, names.size() < MOST_NAMES ? name : OTHERS);
    }

    private Tallies newTallies(Store store, String name) {
        return names(store).computeIfAbsent(name, unknown -> new Tallies(store, unknown));
    }

    /** Every store has its map from the beginning. */
    private Map<String, Tallies> names(Store store) {
        return Objects.requireNonNull(tallies.get(store));
    }

    private synchronized void bind(StorageTally fresh) {
        registries.forEach(fresh::bindTo);
    }

    /** The counts of one table, queue or container; made one by one as they are needed. */
    private final class Tallies {

        private static final Operation[] OPERATIONS = Operation.values();
        private static final Outcome[] OUTCOMES = Outcome.values();

        private final Store store;
        private final String name;
        private final AtomicReferenceArray<StorageTally> all =
                new AtomicReferenceArray<>(OPERATIONS.length * OUTCOMES.length);

        Tallies(Store store, String name) {
            this.store = store;
            this.name = name;
        }

        StorageTally of(Operation operation, Outcome outcome) {
            int place = operation.ordinal() * OUTCOMES.length + outcome.ordinal();
            StorageTally known = all.get(place);
            return known != null ? known : first(place, new Kind(store, name, operation, outcome));
        }

        private StorageTally first(int place, Kind kind) {
            StorageTally fresh = new StorageTally(kind, roles);
            synchronized (StorageCalls.this) {
                StorageTally other = all.get(place);
                if (other != null) {
                    return other;
                }
                all.set(place, fresh);
                bind(fresh);
            }
            return fresh;
        }

        void addTo(Map<Kind, Count> counts) {
            for (int place = 0; place < all.length(); place++) {
                StorageTally tally = all.get(place);
                if (tally != null) {
                    counts.put(tally.kind(), tally.count());
                }
            }
        }

        void bindTo(MeterRegistry registry) {
            for (int place = 0; place < all.length(); place++) {
                StorageTally tally = all.get(place);
                if (tally != null) {
                    tally.bindTo(registry);
                }
            }
        }
    }
}
