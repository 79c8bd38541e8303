package org.azuremail.subscription.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * The index rows {@code .active}/{@code chore:<service>} in the table {@code message}: which scheduled services have
 * work. The row is written before the work exists. The scheduler, which reads {@code .active} anyway, wakes the service
 * as long as the row exists. When the service finds no work, it deletes the row as read before, provided that it is
 * settled. So a service that is mostly idle need not poll often.
 */
public record ServiceChoreIndex(TableStore tables) {

    private static final String PREFIX = "chore:";

    /**
     * The time after which a row is settled: longer than a writer takes from this row to the work that it announces.
     */
    private static final Duration SETTLED = Duration.ofMinutes(5);

    public ServiceChoreIndex {
        tables.createTable(ShardChoreIndex.TABLE);
    }

    /** Returns the service that a row of {@code .active} names, if it is such a row. */
    public static Optional<String> serviceOf(Row row) {
        return Optional.of(row.rowKey())
                .filter(key -> key.startsWith(PREFIX))
                .map(key -> key.substring(PREFIX.length()));
    }

    public void announce(String service, Instant now) {
        tables.write(
                ShardChoreIndex.TABLE,
                ShardChoreIndex.PARTITION,
                Write.upsert(PREFIX + service, Values.of("AnnouncedAt", now)));
    }

    /** Returns the row of a service, to be read before looking for work. */
    public Optional<Row> of(String service) {
        return tables.get(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, PREFIX + service);
    }

    /** Deletes the row of a service that found no work, once it is settled. */
    public void removeIfSettled(Row row, Instant now) {
        if (row.values().requireInstant("AnnouncedAt").plus(SETTLED).isBefore(now)) {
            tables.write(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, Write.delete(row));
        }
    }
}
