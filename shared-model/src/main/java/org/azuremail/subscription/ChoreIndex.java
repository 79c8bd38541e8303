package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * The index rows {@code .active}/{@code confirm:<list>.<shard>} in the table {@code message}: which shards hold
 * {@code wait:} rows. Written before such a row, looked at once more after it, and removed under its ETag only when it is
 * long settled and the shard has none left.
 */
final class ChoreIndex {

    static final String TABLE = "message";
    static final String PARTITION = ".active";
    static final String PREFIX = "confirm:";

    /** Longer than any writer needs from the index row to its {@code wait:} row. */
    private static final Duration SETTLED = Duration.ofMinutes(5);

    private final TableStore tables;
    private final Time time;

    ChoreIndex(TableStore tables, Time time) {
        this.tables = tables;
        this.time = time;
    }

    /** A shard, as an index row names it. */
    record Place(ListName list, int shard) {

        static Optional<Place> of(String rowKey) {
            int dot = rowKey.lastIndexOf('.');
            if (!rowKey.startsWith(PREFIX) || dot < 0) {
                return Optional.empty();
            }
            String shard = rowKey.substring(dot + 1);
            return ListName.parse(rowKey.substring(PREFIX.length(), dot))
                    .filter(list -> shard.matches("[0-9]{1,3}"))
                    .map(list -> new Place(list, Integer.parseInt(shard)));
        }

        String rowKey() {
            return PREFIX + SubscriberKeys.partition(list, shard);
        }
    }

    void announce(Place place) {
        tables.write(TABLE, PARTITION, Write.upsert(place.rowKey(), Values.of("AnnouncedAt", time.instant())));
    }

    /** After the {@code wait:} row is stored: somebody may have taken the index row away in between. */
    void ensure(Place place) {
        if (tables.get(TABLE, PARTITION, place.rowKey()).isEmpty()) {
            announce(place);
        }
    }

    /** Removes the row as it was read before the shard was found empty. */
    void removeIfSettled(Row row) {
        Instant announced = row.values().instant("AnnouncedAt");
        if (announced == null || announced.plus(SETTLED).isBefore(time.instant())) {
            tables.write(TABLE, PARTITION, Write.delete(row));
        }
    }
}
