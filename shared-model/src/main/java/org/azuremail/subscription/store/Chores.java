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
 * something to look after. Written before it is there, so that the scheduler's one look finds it and wakes the service
 * again and again; removed by the service, as it was read before it looked and found nothing, once it is settled. So a
 * service that mostly has nothing to do need not look often by itself.
 */
public final class Chores {

    private static final String PREFIX = "chore:";

    /** Longer than anybody needs from this row to what it announces. */
    private static final Duration SETTLED = Duration.ofMinutes(5);

    private final TableStore tables;

    public Chores(TableStore tables) {
        this.tables = tables;
        tables.createTable(ChoreIndex.TABLE);
    }

    /** The service that a row of {@code .active} speaks of, if it is such a row. */
    public static Optional<String> serviceOf(Row row) {
        return Optional.of(row.rowKey())
                .filter(key -> key.startsWith(PREFIX))
                .map(key -> key.substring(PREFIX.length()));
    }

    public void announce(String service, Instant now) {
        tables.write(
                ChoreIndex.TABLE, ChoreIndex.PARTITION, Write.upsert(PREFIX + service, Values.of("AnnouncedAt", now)));
    }

    /** To be read before the service looks. */
    public Optional<Row> of(String service) {
        return tables.get(ChoreIndex.TABLE, ChoreIndex.PARTITION, PREFIX + service);
    }

    /** The service found nothing to do. */
    public void done(Row row, Instant now) {
        if (row.values().requireInstant("AnnouncedAt").plus(SETTLED).isBefore(now)) {
            tables.write(ChoreIndex.TABLE, ChoreIndex.PARTITION, Write.delete(row));
        }
    }
}
