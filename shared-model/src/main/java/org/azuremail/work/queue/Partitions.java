package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how many queues of the storage make up one queue of the product. A setting gives the number, which may change
 * at any time. Before anything is sent to a partition, a row records that it is in use. Consumers read all partitions
 * that are or were in use, until the highest ones are empty and have not been used for a day. Safe for use from many
 * threads and processes.
 */
public final class Partitions {

    /** The longest time for which a running consumer may miss a new partition, if it did not learn of a new process. */
    public static final Duration REFRESH_INTERVAL = Duration.ofHours(1);

    /** The time without a sender after which a partition is not read any longer. */
    static final Duration UNUSED_AFTER = Duration.ofDays(1);

    public static final int MAX = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);
    private static final String PARTITION = "partitions";
    private static final String HIGHEST = "Highest";
    private static final String USED_AT = "UsedAt";
    private static final Duration MARK_INTERVAL = Duration.ofHours(1);
    private static final int MAX_NAME_LENGTH = 63;

    private final Table table;
    private final Map<String, Integer> wanted;
    private final Time time;
    private final Map<String, Duration> markedElapsed = new ConcurrentHashMap<>();
    private Map<String, Integer> highest = Map.of();
    private Optional<Duration> readElapsed = Optional.empty();

    /** @param wanted the number of partitions that items are sent to, by queue; one if a queue is missing */
    public Partitions(Storage storage, Map<String, Integer> wanted, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.wanted = Map.copyOf(wanted);
        this.time = time;
    }

    /**
     * Returns the name of a partition. The first one has the queue's name. Others add their number to it, and a long
     * name is shortened to its beginning and a fingerprint.
     */
    public static String name(String queue, int partition) {
        if (partition == 0) {
            return queue;
        }
        String suffix = "-p" + partition;
        if (queue.length() + suffix.length() <= MAX_NAME_LENGTH) {
            return queue + suffix;
        }
        CRC32 fingerprint = new CRC32();
        fingerprint.update(queue.getBytes(StandardCharsets.UTF_8));
        String end = String.format(Locale.ROOT, "-%08x", fingerprint.getValue()) + suffix;
        return queue.substring(0, MAX_NAME_LENGTH - end.length()).replaceAll("-$", "") + end;
    }

    /**
     * Records that a process with other settings may have started. The next call of {@link #toRead} reads the storage.
     */
    public synchronized void invalidate() {
        readElapsed = Optional.empty();
    }

    /** Returns the partitions that consumers read. If the storage is out of reach, the last known ones are returned. */
    public synchronized List<String> toRead(String queue) {
        Duration now = time.elapsed();
        if (readElapsed.isEmpty() || now.minus(readElapsed.get()).compareTo(REFRESH_INTERVAL) >= 0) {
            readHighest(now);
        }
        return names(queue, Math.max(wanted(queue), highest.getOrDefault(queue, 1)));
    }

    /**
     * Returns the partitions to which items may be sent. If their use cannot be recorded, this is only the first one,
     * which is always read. Producers never wait for consumers here.
     */
    List<String> toWrite(String queue) {
        int count = wanted(queue);
        if (count == 1) {
            return List.of(queue);
        }
        try {
            markInUse(queue, count);
            return names(queue, count);
        } catch (StorageException notSaid) {
            LOG.warn("{} has one partition until the storage takes more: {}", queue, notSaid.toString());
            return List.of(queue);
        }
    }

    /**
     * Removes partitions that are empty and have not been used for a day.
     *
     * @param isEmpty returns whether a queue of the storage has no items, not even hidden ones
     */
    public void forgetUnused(Predicate<String> isEmpty) {
        Instant before = time.instant().minus(UNUSED_AFTER);
        for (Row row : rows()) {
            int kept = wanted(row.key().row());
            int highestUsed = row.values().integer(HIGHEST, 1);
            List<String> surplus =
                    names(row.key().row(), highestUsed).subList(Math.min(kept, highestUsed), highestUsed);
            if (row.values().requireInstant(USED_AT).isBefore(before)
                    && !surplus.isEmpty()
                    && surplus.stream().allMatch(isEmpty)) {
                LOG.info("{} is no longer read: empty, and unused for a day", surplus);
                table.write(PARTITION, Write.replace(row, row.values().with(HIGHEST, kept)));
            }
        }
    }

    private int wanted(String queue) {
        return wanted.getOrDefault(queue, 1);
    }

    private static List<String> names(String queue, int count) {
        return IntStream.range(0, count).mapToObj(i -> name(queue, i)).toList();
    }

    private void readHighest(Duration now) {
        try {
            Map<String, Integer> read = new HashMap<>();
            rows().forEach(row -> read.put(row.key().row(), row.values().integer(HIGHEST, 1)));
            highest = read;
            readElapsed = Optional.of(now);
        } catch (StorageException goesByWhatWasKnown) {
            LOG.debug("partitions are not known: {}", goesByWhatWasKnown.toString());
        }
    }

    private List<Row> rows() {
        return table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null)
                .items();
    }

    private void markInUse(String queue, int count) {
        Duration now = time.elapsed();
        Duration marked = markedElapsed.get(queue);
        if (marked != null && now.minus(marked).compareTo(MARK_INTERVAL) < 0) {
            return;
        }
        ConditionalWrites.retryUntilDone("the partitions of " + queue, () -> tryMark(queue, count));
        markedElapsed.put(queue, now);
    }

    private boolean tryMark(String queue, int count) {
        Optional<Row> row = table.get(PARTITION, queue);
        if (row.isPresent() && row.get().values().integer(HIGHEST, 1) > count) {
            return true;
        }
        Values values = Values.of(HIGHEST, count).with(USED_AT, time.instant());
        return table.write(PARTITION, Write.put(row, queue, values)).written();
    }
}
