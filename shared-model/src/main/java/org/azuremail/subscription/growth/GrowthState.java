package org.azuremail.subscription.growth;

import java.time.Instant;
import java.time.LocalDate;
import org.azuremail.storage.Values;
import org.azuremail.subscription.store.Turnover;
import org.jspecify.annotations.Nullable;

/**
 * The latest count, of a list or of all lists.
 *
 * @param last the day that was written last
 * @param since the day that was written first
 * @param createdAt of the list, whose name another may have had before
 * @param ever what the list's counters said then
 */
record GrowthState(GrowthDay last, LocalDate since, Instant createdAt, Turnover ever) {

    static final String KEY = "growth";

    /** The first day of a list. A list that an older version has filled began before its comings and goings were counted. */
    static GrowthState first(LocalDate day, Instant createdAt, Turnover now) {
        return new GrowthState(new GrowthDay(day, now.subscribed(), now.joined(), now.left()), day, createdAt, now);
    }

    /** If a version that does not count comings and goings wrote meanwhile, only their difference is known. */
    GrowthState next(LocalDate day, Turnover now) {
        long more = now.subscribed() - ever.subscribed();
        long joined = now.joined() - ever.joined();
        long left = now.left() - ever.left();
        boolean exact = joined >= 0 && left >= 0 && joined - left == more;
        GrowthDay next = exact
                ? new GrowthDay(day, now.subscribed(), joined, left)
                : new GrowthDay(day, now.subscribed(), Math.max(0, more), Math.max(0, -more));
        return new GrowthState(next, since, createdAt, now);
    }

    /** The contribution of this day to all lists, if nothing has changed since. */
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

    static @Nullable GrowthState of(@Nullable Values values, Instant createdAt) {
        GrowthState state = values == null ? null : of(values);
        return state == null || !state.createdAt.equals(createdAt) ? null : state;
    }

    Values values() {
        return Values.builder()
                .put("Day", last.day().toString())
                .put("Since", since.toString())
                .put("CreatedAt", createdAt)
                .put("Subscribed", ever.subscribed())
                .put("Joined", ever.joined())
                .put("Left", ever.left())
                .put("DayJoined", last.joined())
                .put("DayLeft", last.left())
                .build();
    }
}
