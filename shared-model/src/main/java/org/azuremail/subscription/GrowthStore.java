package org.azuremail.subscription;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.subscription.store.ShardCounts.Turnover;
import org.jspecify.annotations.Nullable;

/**
 * The recorded days, in the partition of a list or, for all lists together, {@code .growth}. Each day with changes has
 * a row {@code day:<yyyy-MM-dd>}; the row {@code growth} contains the latest count. Both are written in one batch, so a
 * day is recorded only once.
 */
record GrowthStore(TableStore tables) {

    static final String ALL = ".growth";

    /** The number of days to keep: more than a year, so that a plot of a year is complete. */
    static final int RETENTION_DAYS = 400;

    private static final Instant NEVER = Instant.EPOCH;

    /** The latest count as read, to be changed under its ETag. */
    record GrowthSnapshot(
            String partition, Optional<Row> row, @Nullable GrowthState state) {}

    /** @param createdAt the creation time of the list; counts of an earlier list with the same name are ignored */
    GrowthSnapshot read(String partition, Instant createdAt) {
        Optional<Row> row = tables.get(ListStore.TABLE, partition, GrowthState.KEY);
        GrowthState state = row.map(Row::values)
                .map(GrowthState::of)
                .filter(existing -> existing.createdAt().equals(createdAt))
                .orElse(null);
        return new GrowthSnapshot(partition, row, state);
    }

    GrowthSnapshot readTotal() {
        return read(ALL, NEVER);
    }

    static GrowthState ofAll(GrowthDay day, @Nullable GrowthState before) {
        LocalDate since = before == null ? day.day() : before.since();
        return new GrowthState(day, since, NEVER, new Turnover(day.subscribed(), 0, 0));
    }

    /**
     * Records a day and deletes days that are too old.
     *
     * @param changed whether to write a row for the day
     * @return false if another process was faster
     */
    boolean write(GrowthSnapshot before, GrowthState after, boolean changed) {
        String partition = before.partition();
        if (before.state() == null && before.row().isPresent()) {
            Rows.deleteAll(tables, ListStore.TABLE, KeyRange.prefix(partition, GrowthDay.PREFIX));
        }
        List<Write> writes = new ArrayList<>();
        writes.add(Write.put(before.row(), GrowthState.KEY, after.values()));
        if (changed) {
            LocalDate day = after.last().day();
            writes.add(Write.upsert(GrowthDay.key(day), after.last().values()));
        }
        boolean written = tables.write(ListStore.TABLE, partition, writes).written();
        if (written && changed) {
            String oldest = GrowthDay.key(after.last().day().minusDays(RETENTION_DAYS));
            Rows.deleteAll(tables, ListStore.TABLE, KeyRange.rows(partition, GrowthDay.PREFIX, oldest));
        }
        return written;
    }

    /** Returns the days between two dates, both inclusive, that have a row. */
    List<GrowthDay> days(String partition, LocalDate from, LocalDate to) {
        KeyRange range = KeyRange.rows(partition, GrowthDay.key(from), KeyRange.next(GrowthDay.key(to)));
        return Rows.all(tables, ListStore.TABLE, range).stream()
                .map(GrowthDay::of)
                .toList();
    }

    /** @param isDeleting asked after the rows are read, so that the rows of a new list with the same name are kept */
    static void forget(TableStore tables, ListName list, Predicate<ListName> isDeleting) {
        List<Row> rows =
                new ArrayList<>(Rows.all(tables, ListStore.TABLE, KeyRange.prefix(list.value(), GrowthDay.PREFIX)));
        tables.get(ListStore.TABLE, list.value(), GrowthState.KEY).ifPresent(rows::add);
        if (isDeleting.test(list)) {
            List<Write> writes = rows.stream().map(Write::delete).toList();
            BatchBudget.divide(list.value(), TableStore.MAX_BATCH, writes, write -> write)
                    .forEach(batch -> tables.write(ListStore.TABLE, list.value(), batch));
        }
    }

    /**
     * The latest count of a list or of all lists.
     *
     * @param last the last recorded day
     * @param since the first recorded day
     * @param createdAt the creation time of the list, to distinguish it from an earlier one with the same name
     * @param counters the list's counters at the time of the count
     */
    record GrowthState(GrowthDay last, LocalDate since, Instant createdAt, Turnover counters) {

        static final String KEY = "growth";

        /**
         * Returns the state after the first day of a list. The list may have been filled by an older version, which did
         * not count the people who joined and left.
         */
        static GrowthState first(LocalDate day, Instant createdAt, Turnover now) {
            return new GrowthState(new GrowthDay(day, now.subscribed(), now.joined(), now.left()), day, createdAt, now);
        }

        /**
         * Returns the state after another day. If a version that does not count joining and leaving has written
         * meanwhile, only the difference of the two is known.
         */
        GrowthState next(LocalDate day, Turnover now) {
            long more = now.subscribed() - counters.subscribed();
            long joined = now.joined() - counters.joined();
            long left = now.left() - counters.left();
            boolean exact = joined >= 0 && left >= 0 && joined - left == more;
            GrowthDay next = exact
                    ? new GrowthDay(day, now.subscribed(), joined, left)
                    : new GrowthDay(day, now.subscribed(), Math.max(0, more), Math.max(0, -more));
            return new GrowthState(next, since, createdAt, now);
        }

        /**
         * Returns the contribution of this day to the sum of all lists, provided that nothing has changed since the
         * last recorded day.
         */
        GrowthDay on(LocalDate day) {
            return last.day().equals(day) ? last : new GrowthDay(day, last.subscribed(), 0, 0);
        }

        static GrowthState of(Values values) {
            LocalDate day = LocalDate.parse(values.requireString("Day"));
            return new GrowthState(
                    new GrowthDay(
                            day,
                            values.number("Subscribed", 0),
                            values.number("DayJoined", 0),
                            values.number("DayLeft", 0)),
                    LocalDate.parse(values.requireString("Since")),
                    values.requireInstant("CreatedAt"),
                    new Turnover(values.number("Subscribed", 0), values.number("Joined", 0), values.number("Left", 0)));
        }

        Values values() {
            return Values.builder()
                    .put("Day", last.day().toString())
                    .put("Since", since.toString())
                    .put("CreatedAt", createdAt)
                    .put("Subscribed", counters.subscribed())
                    .put("Joined", counters.joined())
                    .put("Left", counters.left())
                    .put("DayJoined", last.joined())
                    .put("DayLeft", last.left())
                    .build();
        }
    }
}
