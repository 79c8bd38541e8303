package org.azuremail.work.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The processes of the product: each has one row in table {@code work}, partition {@code instance}, written at its start and
 * every {@link #HEARTBEAT}, removed when it stops in order. The row of one that died stays for {@link #KEPT_AFTER_DEATH},
 * so that people see it, and is then removed by any other. A hint for signals and people, no truth: who is alive may be
 * shown as dead and the other way round for minutes. Safe for use from many threads and processes.
 */
public final class Instances {

    /** The interval at which a process says that it lives. */
    public static final Duration HEARTBEAT = Duration.ofMinutes(5);

    /** The time within which others hear of an urgent change. */
    public static final Duration URGENT = Duration.ofSeconds(30);

    /** For how long it is believed: two heartbeats and what two clocks differ. */
    public static final Duration LIVE = HEARTBEAT.multipliedBy(5).dividedBy(2);

    /** The time for which the row of a dead process is kept. */
    public static final Duration KEPT_AFTER_DEATH = Duration.ofHours(1);

    /** Characters that all facts of an instance may take as JSON. */
    public static final int MAX_FACTS = 30_000;

    /** The greatest age of the answer of {@link #live()}. */
    public static final Duration FRESH = Duration.ofSeconds(60);

    private static final String TABLE = "work";
    private static final String PARTITION = "instance";

    /** That somebody has said so; not there in the row of one that lives, nor in old ones: nobody has. */
    private static final String TOLD = "Told";

    private final Table table;
    private final Time time;
    private final Supplier<String> names;
    private final Predicate<String> gone;
    private final FactSheet facts;
    private volatile @Nullable Instance self;
    private List<Instance> cached = List.of();
    private Duration readElapsed = Duration.ZERO;
    private volatile boolean stale = true;
    private volatile boolean someDeaf;
    private volatile String told = "";

    /** Without a way to know that a process has ended. */
    public Instances(Storage storage, Time time, IdSource ids, Supplier<Stream<InstanceFacts>> facts) {
        this(storage, time, ids::token, nobodyKnows -> false, facts);
    }

    /**
     * @param names makes ids, each unlike any other
     * @param gone whether the process that took this id has ended; false where nobody can know
     * @param facts asked at each heartbeat for the parts of this process that say something
     */
    public Instances(
            Storage storage,
            Time time,
            Supplier<String> names,
            Predicate<String> gone,
            Supplier<Stream<InstanceFacts>> facts) {
        this.table = new Table(storage.tables(), TABLE);
        this.time = time;
        this.names = names;
        this.gone = gone;
        this.facts = new FactSheet(facts);
    }

    /**
     * The facts of a process that are fixed from its start on.
     *
     * @param signalAddress {@code host:port}, or empty
     */
    public record Birth(
            String name, Set<String> roles, Set<String> queues, Set<String> services, String signalAddress) {}

    /**
     * This process is alive from now on; the storage hears of it at the first {@link #heartbeat()}.
     *
     * @return the new instance, without facts
     */
    public Instance begin(Birth birth) {
        Instant now = time.instant();
        Instance born = new Instance(
                names.get(),
                birth.name(),
                birth.roles(),
                birth.queues(),
                birth.services(),
                now,
                now,
                birth.signalAddress(),
                Map.of());
        self = born;
        return born;
    }

    /** This process, if it has begun and not ended. */
    public Optional<Instance> self() {
        return Optional.ofNullable(self);
    }

    /**
     * Writes this process's row, whatever became of the one before; one write. Does nothing when it has not begun or has
     * ended.
     *
     * @throws org.azuremail.storage.StorageException when it is out of reach; repeat it soon
     */
    public void heartbeat() {
        self().ifPresent(instance -> {
            told = facts.urgent();
            Instance beating = instance.beating(time.instant(), facts.gather());
            table.write(PARTITION, Write.upsert(beating.id(), InstanceRow.valuesOf(beating)));
        });
    }

    /** Returns whether urgent facts have changed since the last heartbeat; no storage call. */
    public boolean hasNews() {
        return !facts.urgent().equals(told);
    }

    /** Returns whether this process has facts that others should hear of within {@link #URGENT} once they change. */
    public boolean hasUrgentFacts() {
        return !told.isEmpty();
    }

    /** This process ends: its row goes. When the storage is out of reach the row stays until others remove it. */
    public void end() {
        Optional<Instance> ending = self();
        self = null;
        ending.ifPresent(instance -> table.write(PARTITION, Write.delete(instance.id())));
    }

    /**
     * The instances that are alive, this process included once its first heartbeat is written; up to {@link #FRESH} old, so
     * that it costs at most one query a minute.
     *
     * @throws org.azuremail.storage.StorageException when nobody can know
     */
    public synchronized List<Instance> live() {
        Duration now = time.elapsed();
        if (stale || now.minus(readElapsed).compareTo(FRESH) >= 0) {
            stale = false;
            readElapsed = now.minus(FRESH);
            Instant clock = time.instant();
            cached = known().stream().filter(instance -> alive(instance, clock)).toList();
            readElapsed = now;
        }
        return cached;
    }

    /** The same as it was found last, however long ago: asks the storage only when somebody is known to have come or gone. */
    public synchronized List<Instance> lastSeen() {
        return stale ? live() : cached;
    }

    /** Returns whether it said so not long ago, and is not known to have ended since. */
    public boolean alive(Instance instance, Instant now) {
        return instance.aliveAt(now) && !gone(instance);
    }

    /** Returns whether it is known to have ended without being stopped; false where nobody can know. */
    public boolean gone(Instance instance) {
        return gone(instance.id());
    }

    /** As {@link #gone(Instance)}, by its id. */
    public boolean gone(String instance) {
        return gone.test(instance);
    }

    /** Somebody came or went: the next {@link #live()} asks the storage. */
    public void changed() {
        stale = true;
    }

    /** All that have a row, also who died lately, oldest first, a thousand at most; one query. */
    public List<Instance> known() {
        return rows().stream()
                .map(InstanceRow::instanceOf)
                .sorted(Comparator.comparing(Instance::startedAt))
                .toList();
    }

    /**
     * Removes the rows of those that died long ago; one query, and a write for each of them and of those below.
     *
     * @return who ended without being stopped, or has fallen silent; each is told to one caller of all processes, once
     */
    public List<Instance> collect() {
        Instant now = time.instant();
        Instant dead = now.minus(LIVE).minus(KEPT_AFTER_DEATH);
        List<Instance> lost = new ArrayList<>();
        boolean deaf = false;
        for (Row row : rows()) {
            Instance instance = InstanceRow.instanceOf(row);
            if (alive(instance, now)) {
                deaf |= instance.deaf();
                continue;
            }
            boolean told = row.values().bool(TOLD, false);
            boolean old = instance.heartbeatAt().isBefore(dead);
            if ((old || !told)
                    && table.write(PARTITION, old ? Write.delete(row) : told(row))
                            .written()
                    && !told) {
                lost.add(instance);
            }
        }
        someDeaf = deaf;
        return lost;
    }

    /**
     * Returns whether signals did not reach a process that was alive when {@link #collect} looked last; it cannot tell others
     * so.
     */
    public boolean someDeaf() {
        return someDeaf;
    }

    private static Write told(Row row) {
        return new Write.Replace(row.rowKey(), row.values().with(TOLD, true), row.etag());
    }

    private List<Row> rows() {
        return table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null)
                .rows();
    }
}
