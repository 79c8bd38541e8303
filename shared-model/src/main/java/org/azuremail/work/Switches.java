package org.azuremail.work;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.lease.WorkTable;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Which queues and scheduled services are stopped, in all processes. Of what is stopped the run that is under way ends
 * soon, in order ({@code Delivery.stopping}), and none begins; a queue keeps filling, and is worked off when it is started again. A row in table {@code work}, partition
 * {@code switch}, for each that is stopped. Other processes hear of a change by a signal, within a second mostly; one that
 * the signal does not reach obeys an hour later at the latest. Safe for use from many threads and processes.
 */
public final class Switches {

    private static final String PARTITION = "switch";

    private final Table table;
    private final Signals signals;
    private final InProcessSignals here;
    private final Time time;
    private volatile @Nullable Map<String, Stop> known;

    public Switches(Storage storage, Signals signals, InProcessSignals here, Time time) {
        this.table = WorkTable.of(storage);
        this.signals = signals;
        this.here = here;
        this.time = time;
    }

    /** Tells nobody: processes obey when they look by themselves. */
    public static Switches of(Storage storage, Time time) {
        return new Switches(storage, Signals.NONE, new InProcessSignals(), time);
    }

    /**
     * What is stopped.
     *
     * @param name of the queue or the scheduled service
     * @param at when it was stopped
     * @param by who did it
     */
    public record Stop(String name, Instant at, String by) {}

    /**
     * Stops a queue or a scheduled service everywhere; one that is stopped stays so, and one that nobody runs may be stopped as
     * well.
     *
     * @throws org.azuremail.storage.StorageException when nobody can know whether it is stopped; do it again
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

    /** Lets it run again; does nothing when it is not stopped. */
    public void start(String name) {
        table.write(PARTITION, Write.delete(KeyEscaper.escape(name)));
        changed();
    }

    /** All that is stopped, as it stands in the storage; one query. */
    public List<Stop> stops() {
        return table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null).rows().stream()
                .map(Switches::stopOf)
                .toList();
    }

    /**
     * Whether it is stopped, as far as this process has heard.
     *
     * @throws org.azuremail.storage.StorageException when this process never heard anything and the storage is out of reach
     */
    boolean stopped(String name) {
        Map<String, Stop> heard = known;
        return (heard == null ? read() : heard).containsKey(name);
    }

    /** Asks the storage, and wakes who runs what was stopped or started. */
    void refresh() {
        Map<String, Stop> before = known;
        Set<String> changed = new HashSet<>(read().keySet());
        if (before != null) {
            before.keySet().stream().filter(name -> !changed.remove(name)).forEach(this::wake);
        }
        changed.forEach(this::wake);
    }

    private void wake(String name) {
        here.wakeConsumer(name);
        here.wakeService(name);
    }

    private void changed() {
        refresh();
        signals.switchesChanged();
    }

    private synchronized Map<String, Stop> read() {
        Map<String, Stop> stops = stops().stream().collect(Collectors.toMap(Stop::name, Function.identity()));
        known = stops;
        return stops;
    }

    private static Stop stopOf(Row row) {
        Values values = row.values();
        return new Stop(
                values.string("Name", row.rowKey()),
                values.requireInstant("StoppedAt"),
                values.string("StoppedBy", ""));
    }
}
