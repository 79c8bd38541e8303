package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
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
 * Decides how many queues of the storage one queue of the product is. A setting says it, and it may change at any time: before
 * anything is sent to a partition a row says that it is in use, and consumers read all that are or were, until the highest ones
 * are empty and nobody has used them for a day. Safe for use from many threads and processes.
 */
public final class Partitions {

    /** The longest time for which a running consumer may overlook a new partition, when it did not hear of a new process. */
    public static final Duration LOOK_AGAIN = Duration.ofHours(1);

    /** The time without a sender after which a partition is no longer read. */
    static final Duration UNUSED_AFTER = Duration.ofDays(1);

    public static final int MOST = 64;

    private static final Logger log = LoggerFactory.getLogger(Partitions.class);
    private static final String PARTITION = "partitions";
    private static final String HIGHEST = "Highest";
    private static final String USED_AT = "UsedAt";
    private static final Duration SAY_AGAIN = Duration.ofHours(1);
    private static final int LONGEST_NAME = 63;

    private final Table table;
    private final Map<String, Integer> wanted;
    private final Time time;
    private final Map<String, Duration> saidElapsed = new ConcurrentHashMap<>();
    private Map<String, Integer> highest = Map.of();
    private Optional<Duration> readElapsed = Optional.empty();

    /** @param wanted how many partitions items are sent to, by queue; one where nothing is said */
    public Partitions(Storage storage, Map<String, Integer> wanted, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.wanted = Map.copyOf(wanted);
        this.time = time;
    }

    /** The first partition is the queue itself; of a long name the others have its beginning and a fingerprint. */
    public static String name(String queue, int partition) {
        if (partition == 0) {
            return queue;
        }
        String suffix = "-p" + partition;
        if (queue.length() + suffix.length() <= LONGEST_NAME) {
            return queue + suffix;
        }
        CRC32 fingerprint = new CRC32();
        fingerprint.update(queue.getBytes(StandardCharsets.UTF_8));
        String end = String.format("-%08x", fingerprint.getValue()) + suffix;
        return queue.substring(0, LONGEST_NAME - end.length()).replaceAll("-$", "") + end;
    }

    /** Another process has come, and may have other settings: the next look asks the storage. */
    public synchronized void mayHaveChanged() {
        readElapsed = Optional.empty();
    }

    /** Returns the partitions that consumers read. When the storage does not answer, they go by what was known. */
    public synchronized List<String> toRead(String queue) {
        Duration now = time.elapsed();
        if (readElapsed.isEmpty() || now.minus(readElapsed.get()).compareTo(LOOK_AGAIN) >= 0) {
            readHighest(now);
        }
        return names(queue, Math.max(wanted(queue), highest.getOrDefault(queue, 1)));
    }

    /**
     * Returns the partitions to which items may be sent from now on. If their use could not be recorded, that is only the
     * first, which is always read. Producers never wait for consumers here.
     */
    List<String> toWrite(String queue) {
        int count = wanted(queue);
        if (count == 1) {
            return List.of(queue);
        }
        try {
            sayInUse(queue, count);
            return names(queue, count);
        } catch (StorageException notSaid) {
            log.warn("{} has one partition until the storage takes more: {}", queue, notSaid.toString());
            return List.of(queue);
        }
    }

    /**
     * Takes back partitions that are empty and that nobody used for a day.
     *
     * @param isEmpty whether nothing waits in a queue of the storage, hidden items included
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
                log.info("{} is no longer read: empty, and unused for a day", surplus);
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
            log.debug("partitions are not known: {}", goesByWhatWasKnown.toString());
        }
    }

    private List<Row> rows() {
        RowPage page = table.first(KeyRange.partition(PARTITION), TableStore.MAX_PAGE, null);
        return page.rows();
    }

    private void sayInUse(String queue, int count) {
        Duration now = time.elapsed();
        Duration said = saidElapsed.get(queue);
        if (said != null && now.minus(said).compareTo(SAY_AGAIN) < 0) {
            return;
        }
        ConditionalWrites.untilDone("the partitions of " + queue, () -> isSaid(queue, count));
        saidElapsed.put(queue, now);
    }

    private boolean isSaid(String queue, int count) {
        Optional<Row> row = table.get(PARTITION, queue);
        if (row.isPresent() && row.get().values().integer(HIGHEST, 1) > count) {
            return true;
        }
        Values values = Values.of(HIGHEST, count).with(USED_AT, time.instant());
        return table.write(PARTITION, Write.put(row, queue, values)).written();
    }
}
