package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks every call that changes a subscriber, with every kind of fault at every storage call in it. Then either the
 * caller repeats the call, or nothing is repeated and the scheduler finds the work.
 */
class SubscriptionCrashIT {

    private static final String BOB = "bob@example.org";
    private static final String NEW = "robert@example.org";

    private SubscriptionWorld world = new SubscriptionWorld();

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void subscribingLosesNobodyAndQueuesTheConfirmation(Faults.Mode mode) {
        everyCall(mode, w -> {}, w -> w.subscribe(BOB), () -> {
            world.subscribe(BOB);
            world.time.advance(Duration.ofMinutes(2));
            world.look();
            assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);
            assertThat(world.drainQueue()).contains(world.get(BOB).guid() + ",news");
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void aStoredSubscriptionIsQueuedAlsoWhenNobodyAsksAgain(Faults.Mode mode) {
        everyCall(mode, w -> {}, w -> w.subscribe(BOB), () -> {
            world.time.advance(Duration.ofMinutes(2));
            world.look();
            world.store().find(world.list(), address(BOB)).ifPresent(bob -> assertThat(world.drainQueue())
                    .contains(bob.value().guid() + ",news"));
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void confirming(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribe(BOB), w -> w.subscriptions().confirm(LIST, w.link(BOB), LINK), () -> {
            world.subscriptions().confirm(LIST, world.link(BOB), LINK);
            assertThat(world.state(BOB)).isEqualTo(SubscriberState.SUBSCRIBED);
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void leavingTellsWhoMailsBeforeItSaysSo(Faults.Mode mode) {
        everyCall(
                mode,
                w -> w.subscribed(BOB),
                w -> {
                    LeaveResult result =
                            w.subscriptions().leave(LIST, w.get(BOB).guid(), LINK);
                    assertThat(result).isNotInstanceOf(LeaveResult.Unknown.class);
                    assertThat(w.departed).contains(address(BOB));
                },
                () -> {
                    world.subscriptions().leave(LIST, world.get(BOB).guid(), LINK);
                    assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNSUBSCRIBED);
                    assertThat(world.departed).contains(address(BOB));
                });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void changingTheAddressIsFinishedByWhoeverAsksAgain(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> change(w), () -> {
            atMostOneIsActive();
            assertThat(change(world)).isInstanceOf(EditResult.Saved.class);
            onlyTheNewOneIsActive();
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void changingTheAddressIsFinishedByTheSchedulerWhenNobodyAsksAgain(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> change(w), () -> {
            boolean begun = world.get(BOB).bookkeeping().movedTo() != null;
            world.time.advance(Duration.ofMinutes(2));
            world.look();
            if (begun) {
                onlyTheNewOneIsActive();
            } else {
                assertThat(world.state(BOB)).isEqualTo(SubscriberState.SUBSCRIBED);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void changingTheAddressIsFinishedByWhoeverLeavesByTheOldLink(Faults.Mode mode) {
        SubscriberGuid[] link = new SubscriberGuid[1];
        everyCall(mode, w -> link[0] = w.subscribed(BOB).guid(), w -> change(w), () -> {
            assertThat(world.subscriptions().leave(LIST, link[0], LINK)).isInstanceOf(LeaveResult.Left.class);
            assertThat(world.store().counts(world.list()).subscribed()).isZero();
            world.time.advance(Duration.ofMinutes(2));
            world.look();
            assertThat(world.store().counts(world.list()).subscribed()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void erasing(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> w.subscriptions().erase(LIST, address(BOB), ADMIN), () -> {
            world.subscriptions().erase(LIST, address(BOB), ADMIN);
            assertThat(world.rowKeys()).containsOnly("!count");
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void editing(Faults.Mode mode) {
        everyCall(mode, w -> w.subscribed(BOB), w -> edit(w), () -> {
            assertThat(edit(world)).isInstanceOf(EditResult.Saved.class);
            assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNCONFIRMED);
            assertThat(world.get(BOB).profile().name()).isEqualTo("Robert");
        });
    }

    @Test
    void anAnswerThatTheClientLibraryRepeatsIsNoConflict() {
        long calls = 0;
        for (long at = 1; at <= Math.max(calls, 1); at++) {
            world = new SubscriptionWorld();
            world.subscribed(BOB);
            Faults faults = new Faults(Faults.Mode.REPEATED, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            assertThat(edit(world)).as("call %s", at).isInstanceOf(EditResult.Saved.class);
            calls = faults.calls();
        }
        assertThat(calls).isGreaterThan(3);
    }

    @Test
    void theIndexNamesTheShardThoughSomebodyTidiesItMeanwhile() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            world = new SubscriptionWorld();
            world.subscribe("other@example.org");
            world.subscriptions().leave(LIST, world.get("other@example.org").guid(), LINK);
            long tidyAt = world.simulated.calls() + at;
            boolean[] tidied = new boolean[1];
            world.simulated.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    if (!tidied[0] && call.number() >= tidyAt) {
                        tidied[0] = true;
                        world.time.advance(Duration.ofMinutes(6));
                        world.look();
                    }
                }
            });
            world.subscribe("other@example.org");
            world.simulated.hook(CallHook.NONE);
            happened = tidied[0];
            world.checkInvariants();
        }
    }

    /** Runs the action with a fault at its first call, at its second, and so on until it makes no such call. */
    private void everyCall(
            Faults.Mode mode, Consumer<SubscriptionWorld> given, Consumer<SubscriptionWorld> action, Runnable then) {
        boolean happened = true;
        long points = 0;
        for (long at = 1; happened; at++) {
            world = new SubscriptionWorld();
            given.accept(world);
            world.drainQueue();
            Faults faults = new Faults(mode, at, () -> {});
            world.restart(faults.around(world.simulated.storage()));
            attempt(action);
            happened = faults.calls() >= at;
            points += happened ? 1 : 0;
            world.restart();
            world.checkInvariants();
            then.run();
            world.checkInvariants();
        }
        assertThat(points).isGreaterThan(3);
    }

    private void attempt(Consumer<SubscriptionWorld> action) {
        try {
            action.accept(world);
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private static EditResult change(SubscriptionWorld world) {
        return world.subscriptions()
                .move(
                        new Membership(LIST, address(BOB)),
                        world.find(BOB).etag(),
                        new Membership(LIST, address(NEW)),
                        ADMIN);
    }

    private static EditResult edit(SubscriptionWorld world) {
        return world.subscriptions()
                .adminEdit(LIST, address(BOB), world.find(BOB).etag(), new Profile("Robert", Map.of()), false, ADMIN);
    }

    private void atMostOneIsActive() {
        assertThat(world.store().counts(world.list()).subscribed()).isLessThanOrEqualTo(1);
    }

    private void onlyTheNewOneIsActive() {
        assertThat(world.state(BOB)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(world.state(NEW)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(world.departed).contains(address(BOB));
        assertThat(world.get(BOB).bookkeeping().chore()).isNull();
    }
}
