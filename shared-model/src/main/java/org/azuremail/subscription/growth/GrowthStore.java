package org.azuremail.subscription.growth;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.subscription.store.Removal;
import org.azuremail.subscription.store.Turnover;
import org.jspecify.annotations.Nullable;

/**
 * Days in the partition of a list, {@code .growth} for all lists together: a row {@code day:<yyyy-MM-dd>} a day on which
 * something changed, and {@code growth}, what was counted last. Both change in one batch, so a day is written once.
 */
public record GrowthStore(TableStore tables) {

    /** The partition of all lists together. */
    static final String ALL = ".growth";

    /** The time beyond a year for which days are kept, so that a year's plot is whole. */
    static final int KEPT_DAYS = 400;

    private static final Instant NEVER = Instant.EPOCH;

    /** The latest count, to be changed under its ETag. */
    record Counted(
            String partition, Optional<Row> row, @Nullable GrowthState state) {}

    /** @param createdAt of the list: the counts of an earlier list with this name are not its own */
    Counted counted(String partition, Instant createdAt) {
        Optional<Row> row = tables.get(ListStore.TABLE, partition, GrowthState.KEY);
        return new Counted(partition, row, GrowthState.of(row.map(Row::values).orElse(null), createdAt));
    }

    Counted countedOfAll() {
        return counted(ALL, NEVER);
    }

    static GrowthState ofAll(GrowthDay day, @Nullable GrowthState before) {
        LocalDate since = before == null ? day.day() : before.since();
        return new GrowthState(day, since, NEVER, new Turnover(day.subscribed(), 0, 0));
    }

    /**
     * Writes a day down, and forgets what is too old.
     *
     * @param changed whether the day has a row of its own
     * @return false when somebody else was faster
     */
    boolean write(Counted before, GrowthState after, boolean changed) {
        String partition = before.partition();
        if (before.state() == null && before.row().isPresent()) {
            Removal.all(tables, ListStore.TABLE, KeyRange.prefix(partition, GrowthDay.PREFIX), partition);
        }
        List<Write> writes = new ArrayList<>();
        writes.add(Write.put(before.row(), GrowthState.KEY, after.values()));
        if (changed) {
            LocalDate day = after.last().day();
            writes.add(Write.upsert(GrowthDay.key(day), after.last().values()));
        }
        boolean written = tables.write(ListStore.TABLE, partition, writes).written();
        if (written && changed) {
            String oldest = GrowthDay.key(after.last().day().minusDays(KEPT_DAYS));
            Removal.all(tables, ListStore.TABLE, KeyRange.rows(partition, GrowthDay.PREFIX, oldest), partition);
        }
        return written;
    }

    /** The days that have a row, from one to another, both included. */
    List<GrowthDay> days(String partition, LocalDate from, LocalDate to) {
        KeyRange range = KeyRange.rows(partition, GrowthDay.key(from), KeyRange.next(GrowthDay.key(to)));
        return Rows.all(tables, ListStore.TABLE, range).stream()
                .map(GrowthDay::of)
                .toList();
    }

    /** For a list that is deleted. */
    public static void forget(TableStore tables, ListName list) {
        String partition = list.value();
        Removal.all(tables, ListStore.TABLE, KeyRange.prefix(partition, GrowthDay.PREFIX), partition);
        tables.write(ListStore.TABLE, partition, Write.delete(GrowthState.KEY));
    }
}
