package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.subscription.GrowthStore.GrowthState;
import org.azuremail.subscription.store.ShardCounts.Turnover;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Records the growth of lists, day by day. Soon after each midnight one scheduler reads every list's counters and writes down
 * how they differ from what it wrote last. A list that has not changed gets no row, nor does it for days before it existed.
 * Changes on days on which no scheduler ran count for the day before the next look. Repeating it changes nothing, also where
 * two do it at the same time.
 */
public final class Growth {

    private static final String NAME = "growth";

    private static final int LISTS_AT_ONCE = 50;

    /** Not before everybody's clock says that it is a new day. */
    private static final Duration AFTER_MIDNIGHT = Duration.ofSeconds(5);

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final GrowthStore store;
    private final ZoneId zone;
    private final Time time;
    private volatile @Nullable LocalDate told;

    /** A day that need not be looked at again. */
    private volatile @Nullable LocalDate recorded;

    /** Read before there was any list: no row. A row that was written since refuses ours. */
    private volatile GrowthStore.@Nullable Counted nothingYet;

    public Growth(ListStore lists, SubscriptionStore subscribers, TableStore tables, ZoneId zone, Time time) {
        this.lists = lists;
        this.subscribers = subscribers;
        this.store = new GrowthStore(tables);
        this.zone = zone;
        this.time = time;
    }

    public LocalDate today() {
        return LocalDate.ofInstant(time.instant().minus(AFTER_MIDNIGHT), zone);
    }

    /** Wakes the service when a day has ended of which this process has not told it. Callers may look often: it costs nothing. */
    public void wakeOnNewDay(Signals signals) {
        LocalDate today = today();
        if (!today.equals(told)) {
            told = today;
            signals.runSoon(NAME);
        }
    }

    /** Runs soon after midnight, and at the latest a little more than a day after the run before; one role runs it. */
    public ScheduledService service() {
        return ScheduledService.daily(NAME, this::untilNewDay, () -> record(today().minusDays(1)));
    }

    private Duration untilNewDay() {
        Instant midnight = today().plusDays(1).atStartOfDay(zone).toInstant();
        return Duration.between(time.instant(), midnight.plus(AFTER_MIDNIGHT));
    }

    private void record(LocalDate day) {
        if (day.equals(recorded)) {
            return;
        }
        GrowthStore.Counted known = nothingYet;
        GrowthStore.Counted before = known == null ? store.countedOfAll() : known;
        if (isRecorded(before, day)) {
            recorded = day;
            return;
        }
        Instant end = day.plusDays(1).atStartOfDay(zone).toInstant();
        List<MailingList> all = lists.active().stream()
                .filter(list -> list.createdAt().isBefore(end))
                .toList();
        if (all.isEmpty() && before.state() == null) {
            nothingYet = before;
            recorded = day;
            return;
        }
        nothingYet = null;
        GrowthDay sum = new GrowthDay(day, 0, 0, 0);
        for (int from = 0; from < all.size(); from += LISTS_AT_ONCE) {
            List<MailingList> some = all.subList(from, Math.min(all.size(), from + LISTS_AT_ONCE));
            Map<ListName, Turnover> turnover = subscribers.turnover(some);
            for (MailingList list : some) {
                sum = sum.plus(record(list, turnover.getOrDefault(list.name(), Turnover.NONE), day));
            }
        }
        recordSum(before, sum);
    }

    private static boolean isRecorded(GrowthStore.Counted counted, LocalDate day) {
        return counted.state() != null && !counted.state().last().day().isBefore(day);
    }

    private GrowthDay record(MailingList list, Turnover now, LocalDate day) {
        return ConditionalWrites.until("growth of " + list.name(), () -> {
            GrowthStore.Counted before = store.counted(list.name().value(), list.createdAt());
            GrowthState state = before.state();
            if (state != null && (isRecorded(before, day) || state.ever().equals(now))) {
                return Optional.of(state.on(day));
            }
            GrowthState next = state == null ? GrowthState.first(day, list.createdAt(), now) : state.next(day, now);
            return store.write(before, next, true) ? Optional.of(next.last()) : Optional.empty();
        });
    }

    /** Written last: it says that the day is done. Where somebody else was faster it is. */
    private void recordSum(GrowthStore.Counted before, GrowthDay sum) {
        GrowthState state = before.state();
        boolean changed = state == null
                || sum.joined() + sum.left() > 0
                || sum.subscribed() != state.last().subscribed();
        if (store.write(before, GrowthStore.ofAll(sum, state), changed)) {
            recorded = sum.day();
        }
    }

    /**
     * The last days of a list until yesterday, oldest first, without gaps; fewer where it was not counted so long, none where
     * it never was. Two reads.
     */
    public List<GrowthDay> of(MailingList list, int days) {
        return history(store.counted(list.name().value(), list.createdAt()), days);
    }

    public List<GrowthDay> ofAll(int days) {
        return history(store.countedOfAll(), days);
    }

    private List<GrowthDay> history(GrowthStore.Counted counted, int days) {
        GrowthState state = counted.state();
        if (state == null) {
            return List.of();
        }
        LocalDate yesterday = today().minusDays(1);
        LocalDate wanted = yesterday.minusDays(days - 1L);
        LocalDate first = wanted.isBefore(state.since()) ? state.since() : wanted;
        List<GrowthDay> written = store.days(counted.partition(), first, yesterday);
        long subscribed =
                written.isEmpty() ? state.last().subscribed() : written.get(0).subscribedBefore();
        List<GrowthDay> whole = new ArrayList<>();
        int next = 0;
        for (LocalDate day = first; !day.isAfter(yesterday); day = day.plusDays(1)) {
            boolean there = next < written.size() && written.get(next).day().equals(day);
            GrowthDay one = there ? written.get(next++) : new GrowthDay(day, subscribed, 0, 0);
            subscribed = one.subscribed();
            whole.add(one);
        }
        return whole;
    }

    /**
     * A day of a list, or of all lists.
     *
     * @param day in the zone of the installation
     * @param subscribed at the end of the day
     * @param joined how often somebody became Subscribed on this day
     * @param left how often somebody ceased to be so
     */
    public record GrowthDay(LocalDate day, long subscribed, long joined, long left) {

        static final String PREFIX = "day:";

        /** Before anything happened on this day. */
        long subscribedBefore() {
            return subscribed - joined + left;
        }

        GrowthDay plus(GrowthDay other) {
            return new GrowthDay(day, subscribed + other.subscribed, joined + other.joined, left + other.left);
        }

        static String key(LocalDate day) {
            return PREFIX + day;
        }

        static GrowthDay of(Row row) {
            Values values = row.values();
            return new GrowthDay(
                    LocalDate.parse(row.rowKey().substring(PREFIX.length())),
                    values.number("Subscribed", 0),
                    values.number("Joined", 0),
                    values.number("Left", 0));
        }

        Values values() {
            return Values.builder()
                    .put("Subscribed", subscribed)
                    .put("Joined", joined)
                    .put("Left", left)
                    .build();
        }
    }
}
