package org.azuremail.work.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Holders;
import org.jspecify.annotations.Nullable;

/**
 * The processes of the installation. Each has one row in table {@code work}, partition {@code instance}, which it
 * writes at its start and every {@link #HEARTBEAT}, and deletes when it stops in order. The row of a process that died
 * stays for {@link #RETENTION_AFTER_DEATH}, so that admins see it, and is then deleted by any other process. The rows
 * are only hints for signals and admins: for minutes, a live process may be shown as dead, or a dead one as alive. Safe
 * for use from many threads and processes.
 */
public final class Instances {

    /** The interval at which a process writes its heartbeat. */
    public static final Duration HEARTBEAT = Duration.ofMinutes(5);

    /** The time within which other processes learn of an urgent change. */
    public static final Duration URGENT = Duration.ofSeconds(30);

    /**
     * The time for which a process counts as alive after a heartbeat: two intervals and the most that two clocks
     * differ.
     */
    public static final Duration LIVE = HEARTBEAT.multipliedBy(5).dividedBy(2);

    /** The time for which the row of a dead process is kept. */
    public static final Duration RETENTION_AFTER_DEATH = Duration.ofHours(1);

    /** The most characters that all facts of an instance take as JSON. */
    public static final int MAX_FACTS = 30_000;

    /** The greatest age of the result of {@link #live()}. */
    public static final Duration CACHE_TTL = Duration.ofSeconds(60);

    private static final String TABLE = "work";
    private static final String PARTITION = "instance";

    /**
     * The column that records that the process's end was reported. It is absent in the rows of live processes and in
     * old rows.
     */
    private static final String REPORTED = "Told";

    private final Table table;
    private final Time time;
    private final Holders holders;
    private final FactCollector facts;
    private volatile @Nullable Instance self;
    private List<Instance> cached = List.of();
    private Duration readElapsed = Duration.ZERO;
    private volatile boolean stale = true;
    private volatile boolean anyDeaf;
    private volatile String reportedFacts = "";

    /**
     * @param holders gives each process its id, and may know that a process has ended
     * @param facts the parts of this process that report facts, asked at each heartbeat
     */
    public Instances(Storage storage, Time time, Holders holders, Supplier<Stream<InstanceFacts>> facts) {
        this.table = new Table(storage.tables(), TABLE);
        this.time = time;
        this.holders = holders;
        this.facts = new FactCollector(facts);
    }

    /**
     * The properties of a process that are fixed from its start on.
     *
     * @param signalAddress {@code host:port}, or empty
     */
    public record Registration(
            String name, Set<String> roles, Set<String> queues, Set<String> services, String signalAddress) {}

    /**
     * Registers this process as alive. Its row is written with the first {@link #heartbeat()}.
     *
     * @return the new instance, without facts
     */
    public Instance register(Registration registration) {
        Instant now = time.instant();
        Instance instance = new Instance(
                holders.next(),
                registration.name(),
                registration.roles(),
                registration.queues(),
                registration.services(),
                now,
                now,
                registration.signalAddress(),
                Map.of());
        self = instance;
        return instance;
    }

    /** Returns this process, if it has begun and not ended. */
    public Optional<Instance> self() {
        return Optional.ofNullable(self);
    }

    /**
     * Writes this process's row with one write, no matter what happened to the previous row. Does nothing if the
     * process has not begun or has ended.
     *
     * @throws org.azuremail.storage.StorageException if the storage is out of reach; the caller should try again soon
     */
    public void heartbeat() {
        self().ifPresent(instance -> {
            reportedFacts = facts.urgent();
            Instance beating = instance.withHeartbeat(time.instant(), facts.gather());
            table.write(PARTITION, Write.upsert(beating.id(), beating.toValues()));
        });
    }

    /** Returns whether urgent facts have changed since the last heartbeat; no storage call. */
    public boolean hasUrgentChange() {
        return !facts.urgent().equals(reportedFacts);
    }

    /** Returns whether this process has facts whose changes others should learn of within {@link #URGENT}. */
    public boolean hasUrgentFacts() {
        return !reportedFacts.isEmpty();
    }

    /** Ends this process and deletes its row. If the storage is out of reach, the row stays until others delete it. */
    public void deregister() {
        Optional<Instance> ending = self();
        self = null;
        ending.ifPresent(instance -> table.write(PARTITION, Write.delete(instance.id())));
    }

    /**
     * Returns the instances that are alive, including this process once its first heartbeat is written. The result is
     * up to {@link #CACHE_TTL} old, so that it costs at most one query a minute.
     *
     * @throws org.azuremail.storage.StorageException if the storage is out of reach
     */
    public synchronized List<Instance> live() {
        Duration now = time.elapsed();
        if (stale || now.minus(readElapsed).compareTo(CACHE_TTL) >= 0) {
            stale = false;
            readElapsed = now.minus(CACHE_TTL);
            cached = liveNow();
            readElapsed = now;
        }
        return cached;
    }

    /**
     * Returns the instances that are alive now, oldest first, with one query.
     *
     * @throws org.azuremail.storage.StorageException if the storage is out of reach
     */
    public List<Instance> liveNow() {
        Instant now = time.instant();
        return known().stream().filter(instance -> alive(instance, now)).toList();
    }

    /**
     * Returns the last result of {@link #live()}, however old. Reads the storage only if a process is known to have
     * started or ended since.
     */
    public synchronized List<Instance> lastSeen() {
        return stale ? live() : cached;
    }

    /** Returns whether the process's last heartbeat is recent and the process is not known to have ended since. */
    public boolean alive(Instance instance, Instant now) {
        return instance.aliveAt(now) && !isDead(instance.id());
    }

    /** Returns whether the process is known to have ended without being stopped; false if that is unknown. */
    public boolean isDead(String instance) {
        return holders.isDead(instance);
    }

    /** Records that a process started or ended, so that the next {@link #live()} reads the storage. */
    public void markStale() {
        stale = true;
    }

    /**
     * Returns all processes that have a row, including those that died lately, oldest first, with one query. At most a
     * thousand are returned.
     */
    public List<Instance> known() {
        return rows().stream()
                .map(Instance::from)
                .sorted(Comparator.comparing(Instance::startedAt))
                .toList();
    }

    /**
     * Deletes the rows of processes that died long ago. This takes one query, and one write for each of these processes
     * and of those returned.
     *
     * @return the processes that ended without being stopped or have fallen silent; each is returned once, to one
     *     caller in all processes
     */
    public List<Instance> reapDead() {
        Instant now = time.instant();
        Instant dead = now.minus(LIVE).minus(RETENTION_AFTER_DEATH);
        List<Instance> lost = new ArrayList<>();
        boolean deaf = false;
        for (Row row : rows()) {
            Instance instance = Instance.from(row);
            if (alive(instance, now)) {
                deaf |= instance.deaf();
                continue;
            }
            boolean reported = row.values().bool(REPORTED, false);
            boolean old = instance.heartbeatAt().isBefore(dead);
            if ((old || !reported)
                    && table.write(PARTITION, old ? Write.delete(row) : markReported(row))
                            .written()
                    && !reported) {
                lost.add(instance);
            }
        }
        anyDeaf = deaf;
        return lost;
    }

    /**
     * Returns whether a process that was alive at the last {@link #reapDead} reported that signals do not reach it.
     * Such a process cannot signal this to others itself.
     */
    public boolean anyDeaf() {
        return anyDeaf;
    }

    private static Write markReported(Row row) {
        return new Write.Replace(row.rowKey(), row.values().with(REPORTED, true), row.etag());
    }

    private List<Row> rows() {
        return table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null)
                .items();
    }
}
