package org.azuremail.work;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The switches that stop queues and scheduled services in all processes, and the tunings of those that run. When
 * something is stopped, its current run ends soon and in order ({@code Delivery.stopping}), and no other begins. A
 * stopped queue keeps filling, and is processed when it is started again.
 *
 * <p>Table {@code work}, partition {@code switch}, has one row for each stop and one for each tuning. One query reads
 * them all. Other processes learn of a change by a signal, mostly within a second. A process that the signal does not
 * reach follows it an hour later at the latest. Safe for use from many threads and processes.
 */
public final class Switches {

    private static final String PARTITION = "switch";
    private static final String TUNED = "tuned:";

    private final Table table;
    private final Signals signals;
    private final InProcessSignals localSignals;
    private final Time time;
    private volatile @Nullable SwitchStates known;

    public Switches(Storage storage, Signals signals, InProcessSignals local, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.signals = signals;
        this.localSignals = local;
        this.time = time;
    }

    /**
     * A queue or service that is stopped.
     *
     * @param name the name of the queue or the scheduled service
     * @param at when it was stopped
     * @param by the admin who stopped it
     */
    public record Stop(String name, Instant at, String by) {}

    /**
     * All stops and tunings.
     *
     * @param stops the stops, by the names of queues and services
     * @param tuned the tunings, by the names of queues and services
     */
    public record SwitchStates(Map<String, Stop> stops, Map<String, TuningOverride> tuned) {

        public SwitchStates {
            stops = Collections.unmodifiableMap(new LinkedHashMap<>(stops));
            tuned = Collections.unmodifiableMap(new LinkedHashMap<>(tuned));
        }

        private Set<String> differences(SwitchStates other) {
            Set<String> names = new HashSet<>(other.stops.keySet());
            names.addAll(stops.keySet());
            names.addAll(tuned.keySet());
            names.addAll(other.tuned.keySet());
            names.removeIf(name -> stops.containsKey(name) == other.stops.containsKey(name)
                    && Objects.equals(tuned.get(name), other.tuned.get(name)));
            return names;
        }
    }

    /**
     * Stops a queue or a scheduled service everywhere. Does nothing if it is stopped already. A queue or service that
     * no process runs can be stopped too.
     *
     * @throws org.azuremail.storage.StorageException if it is unknown whether the stop was stored; the caller should
     *     try again
     */
    public void stop(String name, String by) {
        Values values = Values.builder()
                .put("Name", name)
                .put("StoppedAt", time.instant())
                .put("StoppedBy", by)
                .build();
        table.write(PARTITION, Write.insert(KeyEscaper.escape(name), values));
        changed();
    }

    /** Starts a queue or a scheduled service again. Does nothing if it is not stopped. */
    public void start(String name) {
        table.write(PARTITION, Write.delete(KeyEscaper.escape(name)));
        changed();
    }

    /**
     * Tunes a queue or a service in all processes, based on its present tuning.
     *
     * @param change receives the present tuning, if any, and returns the new one, or an empty result to leave it as it
     *     is; called again if another process changes the tuning meanwhile
     * @return false if the tuning was left as it is
     */
    public boolean tune(String name, Function<Optional<TuningOverride>, Optional<TuningOverride>> change) {
        String key = TUNED + KeyEscaper.escape(name);
        boolean tuned = ConditionalWrites.retryIdempotent("the tuning of " + name, () -> {
            Optional<Row> before = table.get(PARTITION, key);
            Optional<TuningOverride> wanted = change.apply(before.map(Switches::overrideOf));
            if (wanted.isEmpty() || (before.isEmpty() && wanted.get().isDefault())) {
                return Optional.of(wanted.isPresent());
            }
            return table.write(PARTITION, write(key, before, wanted.get())).written()
                    ? Optional.of(true)
                    : Optional.empty();
        });
        changed();
        return tuned;
    }

    private static Write write(String key, Optional<Row> before, TuningOverride tuned) {
        if (before.isPresent() && tuned.isDefault()) {
            return Write.delete(before.get());
        }
        Duration interval = tuned.interval();
        Values values = Values.builder()
                .put("Name", tuned.name())
                .put("IntervalSeconds", interval == null ? null : interval.toSeconds())
                .put("Priority", tuned.priority())
                .put("PerSecond", tuned.perSecond())
                .put("TunedAt", tuned.at())
                .put("TunedBy", tuned.by())
                .build();
        return Write.put(before, key, values);
    }

    /** Returns all stops from the storage, with one query. */
    public List<Stop> stops() {
        return List.copyOf(states().stops().values());
    }

    /** Returns all stops and tunings from the storage, with one query. */
    public SwitchStates states() {
        Map<String, Stop> stops = new LinkedHashMap<>();
        Map<String, TuningOverride> tuned = new LinkedHashMap<>();
        for (Row row : table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null)
                .items()) {
            if (row.rowKey().startsWith(TUNED)) {
                TuningOverride one = overrideOf(row);
                tuned.put(one.name(), one);
            } else {
                Stop stop = stopOf(row);
                stops.put(stop.name(), stop);
            }
        }
        return new SwitchStates(stops, tuned);
    }

    /**
     * Returns whether a queue or a service is stopped, as far as this process knows.
     *
     * @throws org.azuremail.storage.StorageException if this process has not read the switches yet and the storage is
     *     out of reach
     */
    public boolean stopped(String name) {
        return lastKnown().stops().containsKey(name);
    }

    /**
     * Returns the tuning of a queue or a service, as far as this process knows.
     *
     * @throws org.azuremail.storage.StorageException as {@link #stopped}
     */
    Optional<TuningOverride> tuned(String name) {
        return Optional.ofNullable(lastKnown().tuned().get(name));
    }

    private SwitchStates lastKnown() {
        SwitchStates current = known;
        return current == null ? read() : current;
    }

    /** Reads the switches from the storage, and wakes the loops of everything that was stopped, started or tuned. */
    void refresh() {
        SwitchStates before = known;
        read().differences(before == null ? new SwitchStates(Map.of(), Map.of()) : before)
                .forEach(this::wake);
    }

    private void wake(String name) {
        localSignals.wakeConsumer(name);
        localSignals.wakeService(name);
    }

    private void changed() {
        refresh();
        signals.switchesChanged();
        signals.needAttention();
    }

    private synchronized SwitchStates read() {
        SwitchStates states = states();
        known = states;
        return states;
    }

    private static Stop stopOf(Row row) {
        Values values = row.values();
        return new Stop(
                values.string("Name", row.rowKey()),
                values.requireInstant("StoppedAt"),
                values.string("StoppedBy", ""));
    }

    private static TuningOverride overrideOf(Row row) {
        Values values = row.values();
        long seconds = values.number("IntervalSeconds", 0);
        int priority = values.integer("Priority", 0);
        int perSecond = values.integer("PerSecond", 0);
        return new TuningOverride(
                values.string("Name", row.rowKey()),
                seconds == 0 ? null : Duration.ofSeconds(seconds),
                priority == 0 ? null : priority,
                perSecond == 0 ? null : perSecond,
                values.requireInstant("TunedAt"),
                values.string("TunedBy", ""));
    }
}
