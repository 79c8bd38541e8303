package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.list.ListStore;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.subscriber.Profile;
import org.junit.jupiter.api.Test;

class ListDeletionTest extends OnListDeletion {

    @Test
    void defect17_aDeletedListTakesNobodyAnyMoreAndItsRowsAndNameGo() throws Exception {
        fill();
        assertThat(deletion().begin(LIST)).isTrue();

        assertThat(world.subscribe("late@example.org")).isInstanceOf(SubscribeResult.NoSuchList.class);
        assertThat(world.lists.create(SubscriptionWorld.list(LIST, OptIn.DOUBLE)))
                .isInstanceOf(Saved.Conflict.class);

        deletion().service().run();
        assertThat(world.lists.all()).isEmpty();
        world.time.advance(Duration.ofMinutes(3));
        deletion().service().run();

        assertThat(world.rows("news")).isEmpty();
        assertThat(world.rows(".deleted")).isEmpty();
        assertThat(world.lists.create(SubscriptionWorld.list(LIST, OptIn.DOUBLE)))
                .isInstanceOf(Saved.Done.class);
    }

    @Test
    void theRowsStayWhileAMessageOfTheListIsActive() throws Exception {
        fill();
        world.inUse = true;
        deletion().begin(LIST);

        deletion().service().run();

        assertThat(world.store().counts(world.list()).subscribed()).isEqualTo(150);
    }

    @Test
    void theSchedulerIsToldOfADeletionBeforeItBeginsAndUntilNothingOfTheListIsLeft() {
        fill();
        world.inUse = true;
        ServiceChoreIndex chores = new ServiceChoreIndex(world.simulated.tables());
        List<Boolean> told = new ArrayList<>();
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE && call.place().equals(ListStore.TABLE)) {
                    told.add(chores.of("list-deletion").isPresent());
                }
            }
        });
        deletion().begin(LIST);
        world.simulated.hook(CallHook.NONE);
        assertThat(told).isNotEmpty().containsOnly(true);

        world.time.advance(Duration.ofMinutes(6));
        run();
        assertThat(chores.of("list-deletion")).as("in use").isPresent();

        world.inUse = false;
        run();
        assertThat(world.lists.all()).isEmpty();
        assertThat(chores.of("list-deletion")).as("its counts are left").isPresent();

        world.time.advance(Duration.ofMinutes(3));
        run();
        assertThat(chores.of("list-deletion")).isEmpty();
    }

    @Test
    void a66_aListWithNobodyOnItIsDeletedAtOnceAndItsNameIsFree() {
        assertThat(deletion().begin(LIST)).isTrue();

        assertThat(world.lists.all()).isEmpty();
        assertThat(world.lists.create(SubscriptionWorld.list(LIST, OptIn.DOUBLE)))
                .isInstanceOf(Saved.Done.class);
        world.subscribed("first@example.org");
        world.time.advance(Duration.ofMinutes(3));
        run();
        assertThat(world.store().counts(world.list()).subscribed()).isOne();
        assertThat(world.rows(".deleted")).isEmpty();
    }

    @Test
    void a66_aListInUseKeepsItsNameAlsoWhenNobodyIsOnIt() {
        world.inUse = true;
        deletion().begin(LIST);

        assertThat(world.lists.find(LIST)).isPresent();
    }

    /** The call had only read the list before the mark was set. */
    @Test
    void aProcessThatWakesUpAfterTheSweepAddsNobodyToAListThatIsGone() {
        ListWithoutMark late = new ListWithoutMark(world, world.list());
        deletion().begin(LIST);
        assertThat(world.lists.find(LIST)).isEmpty();

        assertThatThrownBy(() -> late.add("late@example.org")).isInstanceOf(StorageException.class);

        world.time.advance(Duration.ofMinutes(3));
        run();
        assertThat(world.rows("news")).isEmpty();
    }

    @Test
    void aPersonWhoIsAddedWhileTheListIsDeletedIsOnNoList() {
        deletedAfterItWasRead();
        assertThat(world.subscribe("late@example.org")).isEqualTo(new SubscribeResult.NoSuchList(LIST));

        world.lists.create(SubscriptionWorld.list(LIST, OptIn.DOUBLE));
        deletedAfterItWasRead();
        assertThat(world.feature.subscriptions().adminAdd(LIST, address("late@example.org"), Profile.NONE, true, ADMIN))
                .isEqualTo(new EditResult.NoSuchList(LIST));
    }

    /** Deletes the list once the next call has read it and looks for the subscriber. */
    private void deletedAfterItWasRead() {
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.GET && call.partition().startsWith(LIST + ".")) {
                    world.simulated.hook(CallHook.NONE);
                    deletion().begin(LIST);
                }
            }
        });
    }

    @Test
    void aSubscriberWhoLeavesWhileTheListIsDeletedHasLeft() {
        world.subscribed("p@example.org");
        deletion().begin(LIST);
        new ShardCounts(world.tables(), LIST, world.list().shardOf(address("p@example.org"))).close(world.lists);

        assertThat(world.feature.subscriptions().leave(LIST, address("p@example.org"), ADMIN))
                .isInstanceOf(LeaveResult.Left.class);
        run();
        assertThat(world.lists.all()).isEmpty();
    }

    @Test
    void aSubscriberWhoWasWrittenBetweenTheMarkAndTheSweepIsSweptToo() throws Exception {
        ListWithoutMark late = new ListWithoutMark(world, world.list());
        world.inUse = true;
        deletion().begin(LIST);
        deletion().service().run();
        // This call had read the list before the mark was set.
        late.add("late@example.org");
        world.inUse = false;
        deletion().service().run();
        world.time.advance(Duration.ofMinutes(3));
        deletion().service().run();
        deletion().service().run();

        assertThat(world.rows("news")).isEmpty();
    }

    @Test
    void anUnknownListIsSaidSo() {
        assertThat(deletion().begin(new org.azuremail.list.ListName("nope"))).isFalse();
    }

    private void fill() {
        IntStream.range(0, 150).forEach(i -> world.subscribed("p" + i + "@example.org"));
    }
}
