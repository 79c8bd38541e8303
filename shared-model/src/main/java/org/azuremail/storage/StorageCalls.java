package org.azuremail.storage;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of this process to its storage: what an Azure Storage account charges for. One call of a port is one call
 * here, however it ended; a call that a port refuses as wrong before it leaves ({@link IllegalArgumentException}) is none. Two
 * things make an account count more than this does: a blob over some MiB is put in several blocks, each a transaction of its
 * own, and so is each repetition by the client library of a call whose answer was lost.
 *
 * <p>Counts only grow, from the start of the process. Counting costs a look-up and an addition, and never throws. Safe for
 * use from many threads; a snapshot does not show all counts at one instant. As meters they are {@code azuremail.storage.calls}
 * and {@code azuremail.storage.entities}.
 */
public final class StorageCalls implements MeterBinder {

    /** The number of tables, of queues and of containers with counts of their own; more are counted together. */
    static final int MOST_NAMES = 500;

    /** The name under which all further tables, queues or containers are counted. */
    static final String OTHERS = "(others)";

    public enum Store {
        TABLE,
        QUEUE,
        BLOB
    }

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

    public enum Outcome {
        /** The call was answered, perhaps with the answer that nothing exists. */
        OK,
        /** A condition did not hold: nothing was changed. */
        REFUSED,
        /** The call threw an exception and may or may not have taken effect. */
        FAILED
    }

    /** Calls that are counted together; {@code name} is that of the table, queue or container. */
    public record Kind(Store store, String name, Operation operation, Outcome outcome) implements Comparable<Kind> {

        private static final Comparator<Kind> ORDER = Comparator.comparing(Kind::store)
                .thenComparing(Kind::name)
                .thenComparing(Kind::operation)
                .thenComparing(Kind::outcome);

        @Override
        public int compareTo(Kind other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A number of calls.
     *
     * @param entities rows that the calls wrote or returned; of tables only. Rows that a query passed over without returning
     *     them are not known here
     */
    public record Count(long calls, long entities) {}

    private record Tally(LongAdder calls, LongAdder entities) {}

    private final String roles;
    private final Map<Kind, Tally> tallies = new ConcurrentHashMap<>();
    private final Map<Store, Set<String>> names = new EnumMap<>(Store.class);
    private final List<MeterRegistry> registries = new ArrayList<>();

    /** @param roles what this process does; a tag of its meters */
    public StorageCalls(String roles) {
        this.roles = roles;
    }

    /** Returns the same storage with every call counted here. */
    public Storage around(Storage real) {
        return real.counted(this);
    }

    /** All counts since the start of the process; kinds that never occurred are left out. */
    public Map<Kind, Count> snapshot() {
        Map<Kind, Count> counts = new TreeMap<>();
        tallies.forEach((kind, tally) ->
                counts.put(kind, new Count(tally.calls().sum(), tally.entities().sum())));
        return counts;
    }

    /** Makes every count, also each that begins later, a meter of this registry. */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        tallies.forEach((kind, tally) -> bind(kind, tally, registry));
    }

    void count(Store store, String name, Operation operation, Outcome outcome, int entities) {
        Kind kind = new Kind(store, name, operation, outcome);
        Tally known = tallies.get(kind);
        Tally tally = known == null ? begin(kind) : known;
        tally.calls().increment();
        if (entities != 0) {
            tally.entities().add(entities);
        }
    }

    private synchronized Tally begin(Kind kind) {
        Set<String> known = names.computeIfAbsent(kind.store(), store -> new HashSet<>());
        if (!known.contains(kind.name()) && known.size() >= MOST_NAMES) {
            return tally(new Kind(kind.store(), OTHERS, kind.operation(), kind.outcome()));
        }
        known.add(kind.name());
        return tally(kind);
    }

    private Tally tally(Kind kind) {
        return tallies.computeIfAbsent(kind, first -> {
            Tally tally = new Tally(new LongAdder(), new LongAdder());
            registries.forEach(registry -> bind(kind, tally, registry));
            return tally;
        });
    }

    private void bind(Kind kind, Tally tally, MeterRegistry registry) {
        Tags tags = Tags.of(
                "roles", roles,
                "store", lower(kind.store()),
                "name", kind.name(),
                "operation", lower(kind.operation()),
                "outcome", lower(kind.outcome()));
        FunctionCounter.builder("azuremail.storage.calls", tally.calls(), LongAdder::doubleValue)
                .description("Calls of the storage: transactions of an account")
                .tags(tags)
                .register(registry);
        if (kind.store() == Store.TABLE) {
            FunctionCounter.builder("azuremail.storage.entities", tally.entities(), LongAdder::doubleValue)
                    .description("Rows that calls of tables wrote or gave back")
                    .tags(tags)
                    .register(registry);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
