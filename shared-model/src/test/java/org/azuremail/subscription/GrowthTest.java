package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.LIST;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.work.service.ScheduledService;
import org.junit.jupiter.api.Test;

/** Checks the days of a list: which ones it has, and the numbers of each. */
class GrowthTest extends OnGrowth {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private void startsAt(String moment) {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse(moment)));
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
        assertThat(growth().ofAll(400).stream().map(OnGrowth::text).toList())
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
        assertThat(growth().of(later, 400)).extracting(OnGrowth::text).containsExactly("2026-12-31 0 +0 -0");
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
        assertThat(growth().of(world.list(), 2).stream().map(OnGrowth::text).toList())
                .containsExactly("2027-01-01 1 +0 -0", "2027-01-02 2 +1 -0");
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
}
