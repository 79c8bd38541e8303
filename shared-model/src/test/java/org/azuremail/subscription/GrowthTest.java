package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.HeardSignals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrowthTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private SubscriptionWorld world = new SubscriptionWorld();

    private Growth growth(Storage storage, ZoneId zone) {
        return new Growth(
                new ListStore(storage.tables()),
                new SubscriptionStore(storage.tables()),
                storage.tables(),
                zone,
                world.time);
    }

    private Growth growth() {
        return growth(world.simulated.storage(), ZoneOffset.UTC);
    }

    private static void run(Growth growth) {
        try {
            growth.service().run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void startsAt(String moment) {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse(moment)));
    }

    private void nextMorning() {
        world.time.advance(Duration.ofDays(1));
    }

    private void leave(String address) {
        world.subscriptions().leave(LIST, address(address), ADMIN);
    }

    private List<String> days(Growth growth) {
        return growth.of(world.list(), 400).stream().map(GrowthTest::text).toList();
    }

    private static String text(GrowthDay day) {
        return day.day() + " " + day.subscribed() + " +" + day.joined() + " -" + day.left();
    }

    private long rows() {
        return world.rows(LIST.value()).stream()
                .filter(row -> row.key().partition().equals(LIST.value()))
                .filter(row -> row.rowKey().startsWith("day:"))
                .count();
    }

    @Test
    void eachDaySaysHowManyThereWereAndWhoCameAndWent() {
        startsAt("2026-12-30T12:00:00Z");
        world.subscribed("a@example.org");
        world.subscribed("b@example.org");
        nextMorning();
        run(growth());
        world.subscribed("c@example.org");
        leave("a@example.org");
        nextMorning();
        run(growth());

        assertThat(days(growth())).containsExactly("2026-12-30 2 +2 -0", "2026-12-31 2 +1 -1");
        assertThat(growth().ofAll(400).stream().map(GrowthTest::text).toList())
                .containsExactly("2026-12-30 2 +2 -0", "2026-12-31 2 +1 -1");
    }

    /** A scheduler that starts in the afternoon counts for the day before. */
    @Test
    void aListIsNotCountedOnTheDayBeforeItWasCreated() {
        startsAt("2026-12-30T12:00:00Z");
        world.subscribed("a@example.org");
        nextMorning();
        MailingList later = MailingList.of(
                new ListName("today"),
                "Today",
                SubscriptionWorld.list(LIST, OptIn.DOUBLE).from(),
                OptIn.DOUBLE,
                world.time.instant());
        world.lists.create(later);
        run(growth());

        assertThat(growth().of(later, 400)).isEmpty();
        assertThat(days(growth())).containsExactly("2026-12-30 1 +1 -0");
        nextMorning();
        run(growth());
        assertThat(growth().of(later, 400)).extracting(GrowthTest::text).containsExactly("2026-12-31 0 +0 -0");
    }

    @Test
    void aListThatHasNotChangedGetsNoRowAndItsDaysAreFilledWhenDrawn() {
        startsAt("2026-12-30T12:00:00Z");
        world.subscribed("a@example.org");
        for (int day = 0; day < 4; day++) {
            nextMorning();
            run(growth());
        }

        assertThat(rows()).isOne();
        assertThat(days(growth()))
                .containsExactly(
                        "2026-12-30 1 +1 -0", "2026-12-31 1 +0 -0", "2027-01-01 1 +0 -0", "2027-01-02 1 +0 -0");
    }

    @Test
    void daysOnWhichNoSchedulerRanAreFilled() {
        startsAt("2026-12-30T12:00:00Z");
        world.subscribed("a@example.org");
        nextMorning();
        run(growth());
        world.time.advance(Duration.ofDays(2));
        world.subscribed("b@example.org");
        nextMorning();
        run(growth());

        assertThat(days(growth()))
                .containsExactly(
                        "2026-12-30 1 +1 -0", "2026-12-31 1 +0 -0", "2027-01-01 1 +0 -0", "2027-01-02 2 +1 -0");
        assertThat(growth().of(world.list(), 2).stream().map(GrowthTest::text).toList())
                .containsExactly("2027-01-01 1 +0 -0", "2027-01-02 2 +1 -0");
    }

    @Test
    void repeatingItChangesNothingAlsoWhenSomebodyHasJoinedMeanwhile() {
        world.subscribed("a@example.org");
        nextMorning();
        run(growth());
        List<String> before = days(growth());
        world.subscribed("b@example.org");
        run(growth());

        assertThat(days(growth())).isEqualTo(before);
        nextMorning();
        run(growth());
        assertThat(days(growth())).last().asString().endsWith(" 2 +1 -0");
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void whereverItStopsTheNextRunGoesOn(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            world = new SubscriptionWorld(OptIn.DOUBLE, 2);
            world.subscribed("a@example.org");
            world.subscribed("b@example.org");
            nextMorning();
            run(growth());
            world.subscribed("c@example.org");
            leave("a@example.org");
            nextMorning();
            Faults faults = new Faults(mode, at, () -> {});
            happened = brokenOff(faults, at);
            run(growth());

            assertThat(days(growth())).as(mode + " at " + at).last().asString().endsWith(" 2 +1 -1");
            assertThat(growth().ofAll(400))
                    .last()
                    .extracting(GrowthTest::text)
                    .asString()
                    .endsWith(" 2 +1 -1");
        }
    }

    private boolean brokenOff(Faults faults, long at) {
        try {
            run(growth(faults.around(world.simulated.storage()), ZoneOffset.UTC));
        } catch (StorageException | ProcessDied stopped) {
            assertThat(faults.calls()).isGreaterThanOrEqualTo(at);
        }
        return faults.calls() >= at;
    }

    @Test
    void twoAtTheSameTimeCountEachPersonOnce() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            world = new SubscriptionWorld(OptIn.DOUBLE, 2);
            world.subscribed("a@example.org");
            nextMorning();
            run(growth());
            world.subscribed("b@example.org");
            nextMorning();
            Growth other = growth();
            SleepAt sleeper = new SleepAt(call, () -> {
                run(other);
                world.subscribed("late@example.org");
            });
            world.simulated.hook(sleeper);
            run(growth());
            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            world.subscribed("later@example.org");
            nextMorning();
            run(growth());

            long joined = growth().of(world.list(), 400).stream()
                    .mapToLong(GrowthDay::joined)
                    .sum();
            assertThat(joined).as("at call " + call).isEqualTo(reached ? 4 : 3);
            assertThat(days(growth())).last().asString().contains(reached ? " 4 +" : " 3 +");
        }
    }

    @Test
    void daysAreThoseOfTheZoneAlsoWhereTheClocksChange() {
        for (String night : List.of("2026-03-28", "2026-10-24", "2026-12-31")) {
            world = new SubscriptionWorld();
            LocalDate before = LocalDate.parse(night);
            Growth growth = growth(world.simulated.storage(), BERLIN);
            world.time.advance(Duration.between(
                    world.time.instant(),
                    before.atTime(12, 0).atZone(BERLIN).toInstant().plus(years(before))));
            ScheduledService service = growth.service();
            List<LocalDate> ended = new ArrayList<>();
            for (int day = 0; day < 3; day++) {
                world.subscribed("p" + day + "@example.org");
                ended.add(growth.today());
                world.time.advance(service.restAsOnlyProcess());
                run(growth);
            }

            assertThat(growth.of(world.list(), 400).stream().map(GrowthDay::day).toList())
                    .isEqualTo(ended)
                    .containsExactly(
                            ended.get(0), ended.get(0).plusDays(1), ended.get(0).plusDays(2));
            assertThat(growth.of(world.list(), 400))
                    .allSatisfy(day -> assertThat(day.joined()).isOne());
        }
    }

    /** Returns zero if the day is still to come, otherwise 364 days; the test clock only goes forward. */
    private Duration years(LocalDate day) {
        return day.atStartOfDay(BERLIN).toInstant().isAfter(world.time.instant())
                ? Duration.ZERO
                : Duration.ofDays(364);
    }

    @Test
    void theServiceIsWokenOnceForEachDayThatEnds() {
        Growth growth = growth();
        HeardSignals signals = new HeardSignals();
        for (int hour = 0; hour < 49; hour++) {
            growth.wakeOnNewDay(signals);
            world.time.advance(Duration.ofHours(1));
        }
        assertThat(signals.woken).hasSizeBetween(3, 4).containsOnly("growth");
    }

    /** The older version writes the row of counts without the properties that it does not know. */
    @Test
    void whileAnOlderVersionWritesOnlyTheDifferenceIsKnown() {
        world = new SubscriptionWorld(OptIn.DOUBLE, 1);
        world.subscribed("a@example.org");
        world.subscribed("b@example.org");
        nextMorning();
        run(growth());
        world.subscribed("c@example.org");
        Row counts = world.tables().get(ListStore.TABLE, "news.0", "!count").orElseThrow();
        world.tables()
                .write(
                        ListStore.TABLE,
                        "news.0",
                        Write.replace(
                                counts, counts.values().with("Joined", null).with("Left", null)));
        nextMorning();
        run(growth());

        assertThat(days(growth())).last().asString().endsWith(" 3 +1 -0");
        world.subscribed("d@example.org");
        leave("a@example.org");
        nextMorning();
        run(growth());
        assertThat(days(growth())).last().asString().endsWith(" 3 +1 -1");
    }

    @Test
    void aDayIsKeptForFourHundredDays() {
        world.subscribed("a@example.org");
        for (int day = 0; day < 410; day++) {
            world.subscribed("p" + day + "@example.org");
            nextMorning();
            run(growth());
        }

        assertThat(rows()).isBetween(399L, 402L);
        assertThat(days(growth())).hasSize(400);
    }

    @Test
    void aListThatIsCreatedAnewBeginsAnew() {
        world.subscribed("a@example.org");
        nextMorning();
        run(growth());
        nextMorning();
        world.lists.markDeleting(LIST);
        world.lists.remove(LIST);
        MailingList anew = MailingList.of(
                LIST, "Anew", SubscriptionWorld.list(LIST, OptIn.DOUBLE).from(), OptIn.DOUBLE, world.time.instant());
        world.lists.create(anew);
        run(growth());
        assertThat(days(growth())).as("the day before it existed").isEmpty();
        nextMorning();
        run(growth());

        assertThat(days(growth())).hasSize(1);
        assertThat(rows()).isOne();
    }

    @Test
    void manyListsTakeAReadAShardAndAtMostThreeCallsMore() {
        for (int i = 0; i < 20; i++) {
            world.lists.create(
                    Lists.with(SubscriptionWorld.list(new ListName("list_" + i), OptIn.DOUBLE), "shards", 2));
        }
        nextMorning();
        run(growth());
        nextMorning();
        long before = world.simulated.calls();
        run(growth());
        assertThat(world.simulated.calls() - before).isLessThan(20 * 3 + 17 + 15);
        before = world.simulated.calls();
        run(growth());
        assertThat(world.simulated.calls() - before).isOne();
    }
}
