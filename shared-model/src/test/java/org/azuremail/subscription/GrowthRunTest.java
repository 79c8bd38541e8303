package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.Growth.GrowthDay;
import org.azuremail.work.signal.HeardSignals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the runs of the service count each person once, whatever interrupts them, and what they cost. */
class GrowthRunTest extends OnGrowth {

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
                    .extracting(OnGrowth::text)
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
