package org.azuremail.subscription.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.azuremail.list.Lists;
import org.azuremail.list.OptIn;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the sweep repairs the directory after deaths and deletions. */
class DirectorySweepTest extends OnPersonDirectory {

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void afterADeathAtAnyCallOfAddingOneSweepRepairsAtMostOne(Faults.Mode mode) {
        int repaired = everyCall(mode, w -> {}, w -> w.subscribe(BOB));
        assertThat(repaired).as("repairs").isBetween(0, 2);
        assertThat(mode == Faults.Mode.REPEATED ? 1 : repaired).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void afterADeathAtAnyCallOfErasingTheDirectoryIsRightOnceTheErasureIsFinished(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> {
            w.subscriptions().erase(LIST, address(BOB), ADMIN);
            assertThat(found("bob")).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void afterADeathAtAnyCallOfAChangeOfAddressTheSweepRepairsTheDirectory(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> w.subscriptions()
                .move(
                        new Membership(LIST, address(BOB)),
                        w.find(BOB).etag(),
                        new Membership(LIST, address("robert@example.org")),
                        ADMIN));
    }

    /** This includes runs that do not complete all shards. */
    @Test
    void aSweepForgetsTheShardsOfListsThatAreGone() {
        world.lists.create(Lists.with(SubscriptionWorld.list(OTHER, OptIn.SINGLE), "shards", 3));
        IntStream.range(0, 9).forEach(number -> world.subscriptions()
                .adminAdd(OTHER, address("p" + number + "@example.org"), Profile.NONE, true, ADMIN));
        sweep();
        assertThat(remembered()).extracting(Row::rowKey).anyMatch(shard -> shard.startsWith(OTHER.value()));
        world.lists.markDeleting(OTHER);
        world.lists.remove(OTHER);
        world.subscribe(ANN);

        DirectorySweep sweep = new DirectorySweep(world.lists, world.simulated.tables(), directory(), 1);
        sweep.run();

        assertThat(sweep.interval()).as("unfinished").isLessThan(Duration.ofHours(1));
        assertThat(remembered())
                .extracting(Row::rowKey)
                .isNotEmpty()
                .noneMatch(shard -> shard.startsWith(OTHER.value()));
    }

    /** The deletion removes people from the directory before it deletes their rows. */
    @Test
    void aSweepAddsNobodyOfAListThatIsBeingDeleted() {
        world.lists.create(Lists.with(SubscriptionWorld.list(OTHER, OptIn.SINGLE), "shards", 3));
        world.subscriptions().adminAdd(OTHER, address(BOB), Profile.NONE, true, ADMIN);
        world.subscribe(ANN);
        forgetDirectory();
        world.lists.markDeleting(OTHER);

        sweep();

        assertThat(found("")).containsExactly("ann@example.org news");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 32})
    void aMissingDirectoryIsFilledPageByPageAndThenLeftAlone(int shards) {
        world = new SubscriptionWorld(OptIn.SINGLE, shards);
        IntStream.range(0, 60).forEach(number -> world.subscribe("p" + number + "@example.org"));
        forgetDirectory();

        DirectorySweep sweep = new DirectorySweep(world.lists, world.tables(), directory(), 1);
        int runs = 0;
        do {
            sweep.run();
            runs++;
        } while (sweep.interval().compareTo(Duration.ofHours(1)) < 0);

        assertThat(found("p")).hasSize(60);
        assertThat(repaired()).isEqualTo(60);
        assertThat(runs).isBetween(Math.min(shards, 7), shards + 1);
        world.simulated.resetCounters();
        sweep.run();
        assertThat(world.simulated.calls(Call.Kind.WRITE)).isZero();
        assertThat(world.simulated.calls(Call.Kind.GET)).isEqualTo(shards);
    }

    @Test
    void aLongSweepContinuesWhereItStopped() {
        world = new SubscriptionWorld(OptIn.SINGLE, 1);
        List<String> all = IntStream.range(0, 2100)
                .mapToObj(n -> "p" + (10000 + n) + "@example.org")
                .toList();
        all.forEach(world::subscribed);
        forgetDirectory();
        DirectorySweep sweep = new DirectorySweep(world.lists, world.tables(), directory(), 1);

        sweep.run();
        assertThat(found("p")).isNotEmpty().hasSizeLessThan(2100);
        sweep = new DirectorySweep(world.lists, world.tables(), directory(), DirectorySweep.PAGES_PER_RUN);
        sweep.run();

        assertThat(found("p")).hasSize(2100);
        assertThat(repaired()).isEqualTo(2100);
    }

    @Test
    void entriesThatAnOlderProcessLeftAreRemovedAndOthersStay() {
        world.subscribe(ANN);
        world.subscribe(BOB);
        Subscriber bob = world.get(BOB);
        world.subscriptions().erase(LIST, address(BOB), ADMIN);
        directory().add(LIST, List.of(bob.address()));
        directory().add(OTHER, List.of(bob.address()));

        sweep();

        assertThat(found("")).containsExactly("ann@example.org news", "bob@example.org other_list");
        assertThat(repaired()).isEqualTo(1);
    }

    /**
     * Runs the action with a fault at each call in turn. After each run, the scheduler finishes the action and the
     * sweep runs.
     */
    private int everyCall(Faults.Mode mode, Consumer<SubscriptionWorld> given, Consumer<SubscriptionWorld> action) {
        boolean happened = true;
        int all = 0;
        for (long at = 1; happened; at++) {
            world = new SubscriptionWorld(OptIn.SINGLE);
            given.accept(world);
            Faults faults = new Faults(mode, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            try {
                action.accept(world);
            } catch (ProcessDied | StorageException expected) {
                assertThat(expected).isNotNull();
            }
            happened = faults.calls() >= at;
            world.restart();
            world.time.advance(Duration.ofMinutes(2));
            world.look();
            sweep();
            int repaired = repaired();
            assertThat(repaired).as("%s at call %s", mode, at).isLessThanOrEqualTo(1);
            all += repaired;
            fits();
        }
        return all;
    }

    private void fits() {
        List<String> existing = world.rowKeys().stream()
                .filter(key -> key.startsWith("email:"))
                .map(key -> key.substring("email:".length()) + " news")
                .toList();
        assertThat(found("")).isEqualTo(existing);
    }

    private void sweep() {
        new DirectorySweep(world.lists, world.simulated.tables(), directory(), DirectorySweep.PAGES_PER_RUN).run();
    }

    @Test
    void theSweepRunsAfterADeath() {
        assertThat(Signals.RUN_AFTER_DEATH)
                .contains(new DirectorySweep(world.lists, world.tables(), directory(), DirectorySweep.PAGES_PER_RUN)
                        .name());
    }

    private List<Row> remembered() {
        return Rows.all(world.simulated.tables(), PersonDirectory.TABLE, KeyRange.partition(DirectorySweep.PARTITION));
    }

    private int repaired() {
        return remembered().stream()
                .mapToInt(row -> (int) row.values().number("Repaired", 0))
                .sum();
    }

    private void forgetDirectory() {
        Rows.all(world.simulated.tables(), PersonDirectory.TABLE, KeyRange.everything())
                .forEach(row -> world.simulated
                        .tables()
                        .write(PersonDirectory.TABLE, row.key().partition(), Write.delete(row)));
    }
}
