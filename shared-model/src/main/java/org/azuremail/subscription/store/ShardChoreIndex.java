package org.azuremail.subscription.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.list.ListName;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;

/**
 * The index rows {@code .active}/{@code confirm:<list>.<shard>} in the table {@code message}, which name the shards
 * that have {@code wait:} rows. An index row is written before such a row and checked after it. It is deleted under its
 * ETag only once it is settled and the shard has no such rows left.
 */
public final class ShardChoreIndex {

    public static final String TABLE = MessageStore.MESSAGE;
    public static final String PARTITION = MessageStore.ACTIVE;
    public static final String PREFIX = "confirm:";

    /**
     * The time after which an index row is settled: longer than a writer takes from the index row to its {@code wait:}
     * row.
     */
    private static final Duration SETTLED = Duration.ofMinutes(5);

    /** The time for which a row that this process has written cannot be deleted, however much the clocks differ. */
    private static final Duration ANNOUNCEMENT_TTL = Duration.ofSeconds(30);

    private static final int MAX_KNOWN = 10_000;

    private final TableStore tables;
    private final Time time;
    private final Map<ShardRef, Announced> announced = new ConcurrentHashMap<>();

    public ShardChoreIndex(TableStore tables, Time time) {
        this.tables = tables;
        this.time = time;
    }

    /** A shard that an index row names. */
    public record ShardRef(ListName list, int shard) {

        public static Optional<ShardRef> of(String rowKey) {
            int dot = rowKey.lastIndexOf('.');
            if (!rowKey.startsWith(PREFIX) || dot < 0) {
                return Optional.empty();
            }
            String shard = rowKey.substring(dot + 1);
            return ListName.parse(rowKey.substring(PREFIX.length(), dot))
                    .filter(list -> shard.matches("[0-9]{1,3}"))
                    .map(list -> new ShardRef(list, Integer.parseInt(shard)));
        }

        public String partition() {
            return SubscriberKeys.partition(list, shard);
        }

        public String rowKey() {
            return PREFIX + partition();
        }
    }

    /**
     * The time of an announcement by both clocks of this process: the monotonic one may stop while the machine sleeps,
     * and the other one may be set back.
     */
    private record Announced(Duration elapsed, Instant at) {

        boolean lasts(Time time) {
            return time.elapsed().minus(elapsed).compareTo(ANNOUNCEMENT_TTL) < 0
                    && Duration.between(at, time.instant()).compareTo(ANNOUNCEMENT_TTL) < 0;
        }
    }

    /**
     * Announces a shard, before its {@code wait:} row is written. Costs nothing if this process announced the shard a
     * moment ago.
     */
    void announce(ShardRef shardRef) {
        if (!recentlyAnnounced(shardRef)) {
            write(shardRef);
        }
    }

    /**
     * Ensures that the index row exists, after the {@code wait:} row is written: if that took long, another process may
     * have deleted the index row meanwhile. That is impossible if this process announced the shard a moment ago.
     */
    void ensure(ShardRef shardRef) {
        if (!recentlyAnnounced(shardRef)
                && tables.get(TABLE, PARTITION, shardRef.rowKey()).isEmpty()) {
            write(shardRef);
        }
    }

    private boolean recentlyAnnounced(ShardRef shardRef) {
        Announced last = announced.get(shardRef);
        return last != null && last.lasts(time);
    }

    private void write(ShardRef shardRef) {
        Announced now = new Announced(time.elapsed(), time.instant());
        tables.write(TABLE, PARTITION, Write.upsert(shardRef.rowKey(), Values.of("AnnouncedAt", now.at())));
        if (announced.size() >= MAX_KNOWN) {
            announced.clear();
        }
        announced.put(shardRef, now);
    }

    /**
     * Deletes the index row as it was read before the shard was found empty.
     *
     * @param checkedAt a time before the shard was read; a slow process must not delete a row on which others have come
     *     to rely
     */
    public void removeIfSettled(Row row, Instant checkedAt) {
        Instant announced = row.values().instant("AnnouncedAt");
        if (announced == null || announced.plus(SETTLED).isBefore(checkedAt)) {
            tables.write(TABLE, PARTITION, Write.delete(row));
        }
    }
}
