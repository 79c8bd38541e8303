package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.list.SegmentStore;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.template.Templates;
import org.azuremail.work.service.ScheduledService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks processes that stop or sleep at any storage call, during the deletion of a list or because of it. */
class ListDeletionCrashIT extends OnListDeletion {

    private static final Field BIRTHDAY = new Field("birthday", "Birthday", FieldType.MONTH_DAY, List.of(), true, true);

    private static final List<String> GROWTH = List.of("day:2026-01-01", "growth");

    /**
     * The call that adds the subscriber wakes up between any two calls of the deletion, and is either swept or refused.
     */
    @Test
    void aSubscriberWhoIsAddedWhileTheListIsDeletedIsSweptToo() {
        twentyPeople();
        SubscriptionWorld before = world;
        boolean reached = true;
        for (int call = 1; reached; call++) {
            world = before.copy();
            ListWithoutMark late = new ListWithoutMark(world, world.list());
            SleepAt sleeper = new SleepAt(call, () -> tryTo(() -> late.add("late@example.org")));
            world.simulated.hook(sleeper);
            deletion().begin(LIST);
            run();
            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            world.time.advance(Duration.ofMinutes(3));
            run();
            assertThat(world.rows("news")).as("at call " + call).isEmpty();
            assertThat(world.lists.all()).isEmpty();
        }
    }

    /**
     * The process sleeps between any two calls, while another process finishes and a new list of the same name gets its
     * first subscriber.
     */
    @Test
    void aProcessThatSleepsUntilTheNameIsTakenAgainLeavesTheNewListAlone() {
        twentyPeople();
        deletion().begin(LIST);
        SubscriptionWorld before = world;
        boolean reached = true;
        for (int call = 1; reached; call++) {
            world = before.copy();
            SleepAt sleeper = new SleepAt(call, () -> {
                run();
                assertThat(world.lists.create(SubscriptionWorld.list(LIST, OptIn.DOUBLE)))
                        .isInstanceOf(Saved.Done.class);
                world.subscribed("new@example.org");
                for (String table : List.of(Templates.TABLE, SegmentStore.TABLE)) {
                    world.tables().write(table, LIST.value(), Write.insert("new", Values.none()));
                }
                for (String growth : GROWTH) {
                    world.tables().write(ListStore.TABLE, LIST.value(), Write.insert(growth, Values.none()));
                }
                world.tables().write(ListStore.TABLE, ".index", Write.upsert(LIST.value(), Values.none()));
                fields().save(world.list(), ListFields.NONE.with(BIRTHDAY), "");
            });
            world.simulated.hook(sleeper);
            run();
            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            if (reached) {
                world.subscribed("second@example.org");
                assertThat(world.lists.findActive(LIST)).as("at call " + call).isPresent();
                assertThat(world.store().counts(world.list()).subscribed())
                        .as("at call " + call)
                        .isEqualTo(2);
                assertThat(world.store().find(world.list(), address("new@example.org")))
                        .as("at call " + call)
                        .isPresent();
                assertThat(fields().of(world.list()).find("birthday"))
                        .as("at call " + call)
                        .contains(BIRTHDAY);
                assertThat(world.tables().get(ListStore.TABLE, ".index", LIST.value()))
                        .as("at call " + call)
                        .isPresent();
                for (String growth : GROWTH) {
                    assertThat(world.tables().get(ListStore.TABLE, LIST.value(), growth))
                            .as(growth + " at call " + call)
                            .isPresent();
                }
                for (String table : List.of(Templates.TABLE, SegmentStore.TABLE)) {
                    assertThat(world.tables().get(table, LIST.value(), "new"))
                            .as(table + " at call " + call)
                            .isPresent();
                }
            }
        }
    }

    /**
     * The call that adds the person sleeps at any storage call, until a new list of the same name has its first
     * subscriber.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aPersonWhoJoinsAListThatIsDeletedMeanwhileIsNotOnTheNextOne(int shardsOfTheNext) {
        for (Consumer<Subscriptions> join : List.<Consumer<Subscriptions>>of(
                to -> to.subscribe(LIST, address("late@example.org"), Profile.NONE, SubscriptionWorld.API),
                to -> to.adminAdd(LIST, address("late@example.org"), Profile.NONE, true, ADMIN))) {
            boolean reached = true;
            for (int call = 1; reached; call++) {
                world = new SubscriptionWorld(OptIn.SINGLE, 16);
                twentyPeople();
                SleepAt sleeper = new SleepAt(call, () -> {
                    world.simulated.hook(CallHook.NONE);
                    nextList(shardsOfTheNext);
                });
                world.simulated.hook(sleeper);
                Subscriptions process = world.subscriptions();
                tryTo(() -> join.accept(process));
                world.simulated.hook(CallHook.NONE);
                reached = sleeper.slept();
                if (reached && call > 1) {
                    assertThat(world.rows("news").stream()
                                    .filter(row -> row.rowKey().equals(SubscriberKeys.email("late@example.org"))))
                            .as("at call " + call)
                            .isEmpty();
                    assertThat(world.store().counts(world.list()).subscribed()).isEqualTo(20);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void whereverItStopsTheNextRunGoesOn(Faults.Mode mode) throws Exception {
        twentyPeople();
        SubscriptionWorld before = world;
        boolean happened = true;
        for (long at = 1; happened; at += 3) {
            world = before.copy();
            Faults faults = new Faults(mode, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            attempt();
            happened = faults.calls() >= at;
            world.restart();
            deletion().begin(LIST);
            for (int run = 0; run < 3; run++) {
                world.time.advance(Duration.ofMinutes(3));
                deletion().service().run();
            }
            assertThat(world.rows("news")).as(mode + " at call " + at).isEmpty();
            assertThat(world.lists.all()).isEmpty();
        }
    }

    private void attempt() throws Exception {
        try {
            deletion().begin(LIST);
            ScheduledService service = deletion().service();
            service.run();
            world.time.advance(Duration.ofMinutes(3));
            service.run();
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private void twentyPeople() {
        IntStream.range(0, 20).forEach(i -> world.subscribed("p" + i + "@example.org"));
    }

    private FieldStore fields() {
        return new FieldStore(world.tables(), world.lists, world.time);
    }

    private void nextList(int shards) {
        deletion().begin(LIST);
        run();
        world.time.advance(Duration.ofMinutes(3));
        MailingList next = SubscriptionWorld.list(LIST, OptIn.DOUBLE);
        world.restart();
        world.lists.create(Lists.with(Lists.with(next, "createdAt", world.time.instant()), "shards", shards));
        IntStream.range(0, 20).forEach(i -> world.subscribed("new" + i + "@example.org"));
        run();
    }

    private static void tryTo(Runnable action) {
        try {
            action.run();
        } catch (StorageException refused) {
            assertThat(refused.retryable()).isTrue();
        }
    }
}
