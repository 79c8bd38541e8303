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
 * Records the daily growth of lists. Soon after midnight, one scheduler reads the counters of every list and records
 * how they differ from the last recorded ones. A list without changes gets no row, and no list gets a row for a day
 * before it was created. Changes on days without a running scheduler count for the day before the next run. Repeated or
 * concurrent runs record the same.
 */
public final class Growth {

    private static final String NAME = "growth";

    private static final int LIST_BATCH_SIZE = 50;

    /** The delay after midnight, so that all processes' clocks have reached the new day. */
    private static final Duration AFTER_MIDNIGHT = Duration.ofSeconds(5);

    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final GrowthStore store;
    private final ZoneId zone;
    private final Time time;
    private volatile @Nullable LocalDate announced;

    /** The last day that this process knows to be recorded. */
    private volatile @Nullable LocalDate recorded;

    /**
     * The missing row of all lists, as read while no list existed. An insert fails if another process has written the
     * row since.
     */
    private volatile GrowthStore.@Nullable GrowthSnapshot nothingYet;

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

    /**
     * Wakes the service once a day, when this process sees a new day for the first time. Frequent calls cost nothing.
     */
    public void wakeOnNewDay(Signals signals) {
        LocalDate today = today();
        if (!today.equals(announced)) {
            announced = today;
            signals.runSoon(NAME);
        }
    }

    /**
     * Returns the service, which runs soon after midnight, and at most a little more than a day after the previous run.
     * One role runs it.
     */
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
        GrowthStore.GrowthSnapshot known = nothingYet;
        GrowthStore.GrowthSnapshot before = known == null ? store.readTotal() : known;
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
        for (int from = 0; from < all.size(); from += LIST_BATCH_SIZE) {
            List<MailingList> some = all.subList(from, Math.min(all.size(), from + LIST_BATCH_SIZE));
            Map<ListName, Turnover> turnover = subscribers.turnover(some);
            for (MailingList list : some) {
                sum = sum.plus(record(list, turnover.getOrDefault(list.name(), Turnover.NONE), day));
            }
        }
        recordSum(before, sum);
    }

    private static boolean isRecorded(GrowthStore.GrowthSnapshot snapshot, LocalDate day) {
        return snapshot.state() != null && !snapshot.state().last().day().isBefore(day);
    }

    private GrowthDay record(MailingList list, Turnover now, LocalDate day) {
        return ConditionalWrites.retry("growth of " + list.name(), () -> {
            GrowthStore.GrowthSnapshot before = store.read(list.name().value(), list.createdAt());
            GrowthState state = before.state();
            if (state != null && (isRecorded(before, day) || state.counters().equals(now))) {
                return Optional.of(state.on(day));
            }
            GrowthState next = state == null ? GrowthState.first(day, list.createdAt(), now) : state.next(day, now);
            return store.write(before, next, true) ? Optional.of(next.last()) : Optional.empty();
        });
    }

    /**
     * Writes the sum of all lists. It is written last, because it marks the day as recorded. If the write fails,
     * another process has recorded the day.
     */
    private void recordSum(GrowthStore.GrowthSnapshot before, GrowthDay sum) {
        GrowthState state = before.state();
        boolean changed = state == null
                || sum.joined() + sum.left() > 0
                || sum.subscribed() != state.last().subscribed();
        if (store.write(before, GrowthStore.ofAll(sum, state), changed)) {
            recorded = sum.day();
        }
    }

    /**
     * Returns the last days of a list up to yesterday, oldest first, without gaps. There are fewer if the list was not
     * counted for that long, and none if it never was. Two reads.
     */
    public List<GrowthDay> of(MailingList list, int days) {
        return history(store.read(list.name().value(), list.createdAt()), days);
    }

    public List<GrowthDay> ofAll(int days) {
        return history(store.readTotal(), days);
    }

    private List<GrowthDay> history(GrowthStore.GrowthSnapshot snapshot, int days) {
        GrowthState state = snapshot.state();
        if (state == null) {
            return List.of();
        }
        LocalDate yesterday = today().minusDays(1);
        LocalDate wanted = yesterday.minusDays(days - 1L);
        LocalDate first = wanted.isBefore(state.since()) ? state.since() : wanted;
        List<GrowthDay> written = store.days(snapshot.partition(), first, yesterday);
        long subscribed =
                written.isEmpty() ? state.last().subscribed() : written.get(0).subscribedBefore();
        List<GrowthDay> whole = new ArrayList<>();
        int next = 0;
        for (LocalDate day = first; !day.isAfter(yesterday); day = day.plusDays(1)) {
            boolean exists = next < written.size() && written.get(next).day().equals(day);
            GrowthDay one = exists ? written.get(next++) : new GrowthDay(day, subscribed, 0, 0);
            subscribed = one.subscribed();
            whole.add(one);
        }
        return whole;
    }

    /**
     * The growth of a list, or of all lists, on one day.
     *
     * @param day the day in the time zone of the installation
     * @param subscribed the number of people who were Subscribed at the end of the day
     * @param joined how often a person became Subscribed on this day
     * @param left how often a person stopped being Subscribed on this day
     */
    public record GrowthDay(LocalDate day, long subscribed, long joined, long left) {

        static final String PREFIX = "day:";

        /** Returns the number of people who were Subscribed at the beginning of the day. */
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
