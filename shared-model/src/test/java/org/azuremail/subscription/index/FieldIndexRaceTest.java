package org.azuremail.subscription.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.azuremail.field.Field;
import org.azuremail.field.FieldType;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SleepAt;
import org.azuremail.subscription.SubscriptionWorld;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that a field's index is right when a walk stops, or others write, at any storage call. */
class FieldIndexRaceTest extends OnIndexedList {

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void aWalkContinuesWhereverItStopped(Faults.Mode mode) {
        boolean happened = true;
        long points = 0;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            Faults faults = new Faults(mode, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            try {
                save(fields -> fields.with(BIRTHDAY).without("hobby"));
            } catch (ProcessDied | StorageException expected) {
                assertThat(expected).isNotNull();
            }
            happened = faults.calls() >= at;
            points += happened ? 1 : 0;
            world.restart();
            world.checkInvariants();

            run();
            if (fields().find("birthday").orElseThrow().equals(BIRTHDAY)) {
                everythingIsInLine(mode + " at call " + at);
                assertThat(world.rows("news."))
                        .as(mode + " at call " + at)
                        .noneMatch(row -> row.values().string("Attributes", "").contains("hobby"));
            }
        }
        assertThat(points).isGreaterThan(20);
    }

    /**
     * Two processes index at the same time, and people subscribe, change and unsubscribe before each call of the walk.
     */
    @Test
    void subscribersAddedOrChangedDuringAWalkAreIndexed() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            Once others = new Once(at, () -> {
                add("eve@example.org", "12-31");
                edit("cy@example.org", Map.of("birthday", "3 April"));
                world.subscriptions().leave(LIST, world.get("dee@example.org").guid(), LINK);
                run();
            });

            save(fields -> fields.with(BIRTHDAY));
            happened = others.ends();
            run();

            if (happened) {
                assertThat(indexed("birthday"))
                        .as("others before call %s", at)
                        .contains("ix:birthday:12-31:eve@example.org", "ix:birthday:04-03:cy@example.org");
            }
            everythingIsInLine("others before call " + at);
        }
    }

    /**
     * A field is removed, then created again with a value, before each call of the walk that removes the old values.
     */
    @Test
    void aValueThatIsSavedAfterItsFieldCameBackStays() {
        boolean happened = true;
        int broughtBack = 0;
        for (long at = 1; happened; at++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            save(fields -> fields.with(BIRTHDAY));
            boolean[] back = {false};
            Once another = new Once(at, () -> {
                if (!world.list().attributes().contains("birthday")) {
                    back[0] = true;
                    edit("ann@example.org", Map.of("birthday", "3 April"));
                }
            });

            save(fields -> fields.without("birthday"));
            happened = another.ends();
            run();

            if (back[0]) {
                broughtBack++;
                assertThat(value("ann@example.org")).as("before call %s", at).isNotEmpty();
            }
        }
        assertThat(broughtBack).isPositive();
    }

    @Test
    void aProcessWithOlderFieldsCannotAddAnUnindexedSubscriber() {
        save(fields -> fields.with(BIRTHDAY));
        for (long after = 1; after <= 6; after++) {
            boolean searchable = after % 2 == 1;
            Once changes = new Once(
                    after,
                    () -> save(fields ->
                            fields.with(new Field("city", "City", FieldType.TEXT, List.of(), searchable, false))));
            String email = "new" + after + "@example.org";
            world.subscriptions()
                    .adminAdd(
                            LIST,
                            address(email),
                            new Profile("", Map.of("city", "Ulm", "birthday", "2000-01-0" + after)),
                            true,
                            ADMIN);
            changes.ends();
            world.checkInvariants();
            assertThat(world.get(email).bookkeeping().index()).isEqualTo(fields().index());
        }
    }

    @Test
    void aMarkThatLosesARaceToANewSubscriberIsWrittenAgain() {
        IndexMark mark = new IndexMark(5, Map.of("birthday", FieldType.MONTH_DAY));
        int shard = world.list().shardOf(address("eve@example.org"));
        Once joins = new Once(2, () -> add("eve@example.org", "12-31"));

        new ShardCounts(world.tables(), LIST, shard).mark(mark);

        assertThat(joins.ends()).isTrue();
        assertThat(new ShardCounts(world.tables(), LIST, shard).index()).isEqualTo(mark);
    }

    @Test
    void aProcessWithOlderFieldsDoesNotTakeBackANewerMark() {
        IndexMark newer = new IndexMark(6, Map.of("birthday", FieldType.MONTH_DAY));
        new ShardCounts(world.tables(), LIST, 0).mark(newer);

        new ShardCounts(world.tables(), LIST, 0).mark(new IndexMark(5, Map.of()));

        assertThat(new ShardCounts(world.tables(), LIST, 0).index()).isEqualTo(newer);
    }

    /** An older version drops unknown properties of rows, and removes people without their index rows. */
    @Test
    void rowsOfAnOlderVersionAreFoundAndRepairedSevenHoursLater() {
        save(fields -> fields.with(BIRTHDAY));
        FieldIndex index = index();
        assertThat(index.outdated(world.list())).isFalse();
        rewrite("ann@example.org", row -> row.with("Indexed", null)
                .with("Attributes", "{\"birthday\":\"2000-12-24\"}"));
        String bobs = partition("bob@example.org");
        world.tables().write(ListStore.TABLE, bobs, Write.delete(SubscriberKeys.email("bob@example.org")));
        world.rows("news.").stream()
                .filter(row -> row.rowKey().equals(SubscriberKeys.COUNT))
                .forEach(row -> world.tables()
                        .write(
                                ListStore.TABLE,
                                row.key().partition(),
                                Write.replace(row, row.values().with("Indexed", null))));
        add("eve@example.org", "12-31");
        assertThat(index.outdated(world.list())).isTrue();

        run();
        assertThat(indexed("birthday")).contains("ix:birthday:05-17:bob@example.org");
        world.time.advance(Duration.ofHours(8));
        run();

        assertThat(indexed("birthday"))
                .containsExactly("ix:birthday:12-24:ann@example.org", "ix:birthday:12-31:eve@example.org");
        assertThat(index.outdated(world.list())).isFalse();
        assertThat(state().checkAt()).isNull();
    }

    /** The second admin gets the run of the first, at whatever call of the first request the second one begins. */
    @Test
    void twoAdminsWhoHaveEverythingCheckedAtOnceStartOneRun() {
        save(fields -> fields.with(BIRTHDAY));
        List<String> others = new ArrayList<>();
        boolean slept = true;
        for (int call = 1; slept; call++) {
            others.clear();
            int at = call;
            AtomicInteger calls = new AtomicInteger();
            world.simulated.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (calls.incrementAndGet() == at) {
                        others.add(index().reindex(world.list(), "grace"));
                    }
                }
            });
            String own = index().reindex(world.list(), "ada");
            world.simulated.hook(CallHook.NONE);
            slept = !others.isEmpty();
            assertThat(others).as("before call " + call).allMatch(own::equals);
            finishJobs();
        }
        world.checkInvariants();
    }

    /** The service sleeps while it handles the row of a deleted list, until a new list of that name has fields. */
    @Test
    void aServiceThatSleptLeavesTheStateOfTheNextList() {
        ListName name = new ListName("next");
        boolean reached = true;
        for (int call = 1; reached; call++) {
            aListWhoseAttributesAreTextAndNotIndexed();
            index().states().add(name);
            SleepAt sleeper = new SleepAt(call, () -> {
                world.lists.create(SubscriptionWorld.list(name, OptIn.DOUBLE));
                index().save(next(name), ListFields.NONE.with(BIRTHDAY), "");
            });
            world.simulated.hook(sleeper);
            index().checkAll();
            world.simulated.hook(CallHook.NONE);
            reached = sleeper.slept();
            IndexMark wanted = reached ? store().of(next(name)).index() : IndexMark.NONE;
            assertThat(index().state(name).ready()).as("at call " + call).isEqualTo(wanted);
        }
    }

    private MailingList next(ListName name) {
        return world.lists.find(name).orElseThrow().value();
    }

    private void rewrite(String email, UnaryOperator<Values> change) {
        Row row = world.tables()
                .get(ListStore.TABLE, partition(email), SubscriberKeys.email(email))
                .orElseThrow();
        world.tables().write(ListStore.TABLE, partition(email), Write.replace(row, change.apply(row.values())));
    }
}
