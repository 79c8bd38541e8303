package org.azuremail.storage;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of this process to its storage, because an Azure Storage account charges for each call. Each call of
 * a port counts once, however it ends. A call that a port refuses because it breaks a limit
 * ({@link IllegalArgumentException}) does not count. An account counts more than this class in two cases: a blob larger
 * than some MiB is stored in several blocks, each a transaction of its own, and the client library repeats a call whose
 * answer was lost.
 *
 * <p>Counts only grow, from the start of the process. Counting costs a map look-up and an addition, and never throws.
 * Safe for use by many threads. A snapshot does not show all counts at one instant. The meters are
 * {@code azuremail.storage.calls} and {@code azuremail.storage.entities}.
 */
public final class StorageCalls implements MeterBinder {

    /** The most names of each store that have counts of their own. Further names are counted together. */
    static final int MAX_NAMES = 500;

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
        /** The call succeeded, even if it found nothing. */
        OK,
        /** A condition was not met, so nothing was changed. */
        REFUSED,
        /** The call threw an exception and may or may not have taken effect. */
        FAILED
    }

    /** The calls that share one count. {@code name} is the name of their table, queue or container. */
    public record CallKind(Store store, String name, Operation operation, Outcome outcome) {}

    /**
     * The counts of one kind of call.
     *
     * @param entities the number of rows that table calls wrote or returned. It does not include rows that a query
     *     scanned without returning them
     */
    public record Count(long calls, long entities) {}

    private record Counters(LongAdder calls, LongAdder entities) {}

    private final String roles;
    private final Map<CallKind, Counters> tallies = new ConcurrentHashMap<>();
    private final Map<Store, Set<String>> names = new EnumMap<>(Store.class);
    private final List<MeterRegistry> registries = new ArrayList<>();

    /** @param roles the roles of this process, as a tag of its meters */
    public StorageCalls(String roles) {
        this.roles = roles;
    }

    /** Returns the same storage with every call counted by this object. */
    public Storage around(Storage real) {
        return real.counted(this);
    }

    /** Returns all counts since the start of the process, without kinds that never occurred. */
    public Map<CallKind, Count> snapshot() {
        Map<CallKind, Count> counts = new HashMap<>();
        tallies.forEach((kind, counters) -> counts.put(
                kind, new Count(counters.calls().sum(), counters.entities().sum())));
        return counts;
    }

    /** Registers each count as a meter, including counts that begin later. */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        tallies.forEach((kind, counters) -> bind(kind, counters, registry));
    }

    void count(Store store, String name, Operation operation, Outcome outcome, int entities) {
        CallKind kind = new CallKind(store, name, operation, outcome);
        Counters known = tallies.get(kind);
        Counters counters = known == null ? begin(kind) : known;
        counters.calls().increment();
        if (entities != 0) {
            counters.entities().add(entities);
        }
    }

    private synchronized Counters begin(CallKind kind) {
        Set<String> known = names.computeIfAbsent(kind.store(), store -> new HashSet<>());
        if (!known.contains(kind.name()) && known.size() >= MAX_NAMES) {
            return tally(new CallKind(kind.store(), OTHERS, kind.operation(), kind.outcome()));
        }
        known.add(kind.name());
        return tally(kind);
    }

    private Counters tally(CallKind kind) {
        return tallies.computeIfAbsent(kind, first -> {
            Counters counters = new Counters(new LongAdder(), new LongAdder());
            registries.forEach(registry -> bind(kind, counters, registry));
            return counters;
        });
    }

    private void bind(CallKind kind, Counters counters, MeterRegistry registry) {
        Tags tags = Tags.of(
                "roles", roles,
                "store", lower(kind.store()),
                "name", kind.name(),
                "operation", lower(kind.operation()),
                "outcome", lower(kind.outcome()));
        FunctionCounter.builder("azuremail.storage.calls", counters.calls(), LongAdder::doubleValue)
                .description("Calls of the storage: transactions of an account")
                .tags(tags)
                .register(registry);
        if (kind.store() == Store.TABLE) {
            FunctionCounter.builder("azuremail.storage.entities", counters.entities(), LongAdder::doubleValue)
                    .description("Rows that calls of tables wrote or gave back")
                    .tags(tags)
                    .register(registry);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
