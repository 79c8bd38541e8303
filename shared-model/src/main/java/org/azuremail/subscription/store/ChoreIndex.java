package org.azuremail.subscription.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.list.ListName;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;

/**
 * The index rows {@code .active}/{@code confirm:<list>.<shard>} in the table {@code message}: which shards hold
 * {@code wait:} rows. Written before such a row, looked at once more after it, and removed under its ETag only when it is
 * long settled and the shard has none left.
 */
public final class ChoreIndex {

    public static final String TABLE = "message";
    public static final String PARTITION = ".active";
    public static final String PREFIX = "confirm:";

    /** Longer than any writer needs from the index row to its {@code wait:} row. */
    private static final Duration SETTLED = Duration.ofMinutes(5);

    /** For so long nobody may take a row away that this process has written, whatever the clocks say. */
    private static final Duration KNOWN = Duration.ofSeconds(30);

    private static final int MOST_KNOWN = 10_000;

    private final TableStore tables;
    private final Time time;
    private final Map<Place, Announced> announced = new ConcurrentHashMap<>();

    public ChoreIndex(TableStore tables, Time time) {
        this.tables = tables;
        this.time = time;
    }

    /** A shard, as an index row names it. */
    public record Place(ListName list, int shard) {

        public static Optional<Place> of(String rowKey) {
            int dot = rowKey.lastIndexOf('.');
            if (!rowKey.startsWith(PREFIX) || dot < 0) {
                return Optional.empty();
            }
            String shard = rowKey.substring(dot + 1);
            return ListName.parse(rowKey.substring(PREFIX.length(), dot))
                    .filter(list -> shard.matches("[0-9]{1,3}"))
                    .map(list -> new Place(list, Integer.parseInt(shard)));
        }

        public String rowKey() {
            return PREFIX + SubscriberKeys.partition(list, shard);
        }
    }

    /** By both clocks of this process: the monotonic one may stand still while the machine sleeps, and the other may be set back. */
    private record Announced(Duration elapsed, Instant at) {

        boolean lasts(Time time) {
            return time.elapsed().minus(elapsed).compareTo(KNOWN) < 0
                    && Duration.between(at, time.instant()).compareTo(KNOWN) < 0;
        }
    }

    /** Before the {@code wait:} row is stored. Whom this process announced a moment ago costs nothing. */
    void announce(Place place) {
        if (!known(place)) {
            write(place);
        }
    }

    /**
     * After the {@code wait:} row is stored: if that took long, somebody may have taken the index row away in between. If this
     * process announced it a moment ago even now, nobody has.
     */
    void ensure(Place place) {
        if (!known(place) && tables.get(TABLE, PARTITION, place.rowKey()).isEmpty()) {
            write(place);
        }
    }

    private boolean known(Place place) {
        Announced last = announced.get(place);
        return last != null && last.lasts(time);
    }

    private void write(Place place) {
        Announced now = new Announced(time.elapsed(), time.instant());
        tables.write(TABLE, PARTITION, Write.upsert(place.rowKey(), Values.of("AnnouncedAt", now.at())));
        if (announced.size() >= MOST_KNOWN) {
            announced.clear();
        }
        announced.put(place, now);
    }

    /**
     * Removes the row as it was read before the shard was found empty.
     *
     * @param looked before the shard was: a process that was slow since then must not take away what others rely on meanwhile
     */
    public void removeIfSettled(Row row, Instant looked) {
        Instant announced = row.values().instant("AnnouncedAt");
        if (announced == null || announced.plus(SETTLED).isBefore(looked)) {
            tables.write(TABLE, PARTITION, Write.delete(row));
        }
    }
}
