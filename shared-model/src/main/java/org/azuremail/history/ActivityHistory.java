package org.azuremail.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The activity in each hour of the last {@link #RETENTION}, in table {@code work}. Each process has one row for each
 * day (UTC) with activity, and no other process writes that row. Safe for use from many threads and processes.
 */
public final class ActivityHistory {

    public static final Duration RETENTION = Duration.ofDays(30);

    static final Duration HOUR = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(ActivityHistory.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<TreeMap<Integer, HourlyCounts>> HOURS = new TypeReference<>() {};
    private static final String PARTITION = "history";
    private static final String VALUES = "Hours";

    private final Table table;
    private final Time time;

    public ActivityHistory(Storage storage, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.time = time;
    }

    /** Returns all hours with activity, summed over all processes. Makes one query for each thousand rows. */
    public TreeMap<Instant, HourlyCounts> hours() {
        TreeMap<Instant, HourlyCounts> all = new TreeMap<>();
        Instant first = time.instant().minus(RETENTION);
        table.stream(KeyRange.partition(PARTITION)).forEach(row -> {
            Instant midnight = day(row).atStartOfDay(ZoneOffset.UTC).toInstant();
            hoursOf(row).forEach((hour, counts) -> {
                Instant at = midnight.plus(HOUR.multipliedBy(hour));
                if (!at.isBefore(first)) {
                    all.merge(at, counts, HourlyCounts::plusOther);
                }
            });
        });
        return all;
    }

    void write(LocalDate day, String process, Map<Integer, HourlyCounts> hours) {
        table.write(PARTITION, Write.upsert(day + "." + process, Values.of(VALUES, JSON.writeValueAsString(hours))));
    }

    /** Deletes the days before the last {@link #RETENTION}. */
    void removeOld() {
        LocalDate first = LocalDate.ofInstant(time.instant().minus(RETENTION), ZoneOffset.UTC);
        table.stream(KeyRange.partition(PARTITION))
                .filter(row -> day(row).isBefore(first))
                .forEach(row -> table.write(PARTITION, Write.delete(row)));
    }

    private static LocalDate day(Row row) {
        return LocalDate.parse(row.rowKey().substring(0, row.rowKey().indexOf('.')));
    }

    /** Returns the hours of a row. A row in the unknown format of another version is logged and ignored. */
    private static Map<Integer, HourlyCounts> hoursOf(Row row) {
        try {
            return JSON.readValue(row.values().string(VALUES, "{}"), HOURS);
        } catch (JacksonException unreadable) {
            LOG.warn("the history of {} is not readable", row.rowKey(), unreadable);
            return Map.of();
        }
    }

    /**
     * The counts of an hour, either of one process or of all.
     *
     * @param processes the most processes that ran at the same time
     * @param queues the work by the name of the queue, without idle queues
     */
    public record HourlyCounts(long emails, long refused, long processes, Map<String, HourlyQueueCounts> queues) {

        /**
         * The work for one queue.
         *
         * @param failed the number of failed attempts and dead letters
         * @param most the most items that waited
         * @param last the number of waiting items at the last reading
         */
        public record HourlyQueueCounts(long done, long failed, long most, long last) {

            static final HourlyQueueCounts NOTHING = new HourlyQueueCounts(0, 0, 0, 0);

            HourlyQueueCounts plusLater(HourlyQueueCounts later) {
                return new HourlyQueueCounts(
                        done + later.done, failed + later.failed, Math.max(most, later.most), later.last);
            }

            HourlyQueueCounts plusOther(HourlyQueueCounts other) {
                return new HourlyQueueCounts(
                        done + other.done,
                        failed + other.failed,
                        Math.max(most, other.most),
                        Math.max(last, other.last));
            }
        }

        public HourlyCounts {
            queues = Map.copyOf(queues);
        }

        public HourlyQueueCounts queue(String name) {
            return queues.getOrDefault(name, HourlyQueueCounts.NOTHING);
        }

        /** Returns the number of refused emails, failed attempts and dead letters. */
        public long failures() {
            return refused
                    + queues.values().stream()
                            .mapToLong(HourlyQueueCounts::failed)
                            .sum();
        }

        HourlyCounts plusLater(HourlyCounts later) {
            return plus(later, HourlyQueueCounts::plusLater);
        }

        HourlyCounts plusOther(HourlyCounts other) {
            return plus(other, HourlyQueueCounts::plusOther);
        }

        private HourlyCounts plus(HourlyCounts other, BinaryOperator<HourlyQueueCounts> sum) {
            Map<String, HourlyQueueCounts> all = new TreeMap<>(queues);
            other.queues.forEach((name, queue) -> all.merge(name, queue, sum));
            return new HourlyCounts(
                    emails + other.emails, refused + other.refused, Math.max(processes, other.processes), all);
        }
    }
}
