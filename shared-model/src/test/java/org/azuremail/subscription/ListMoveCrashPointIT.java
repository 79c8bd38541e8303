package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.MoveWorld.BOB;
import static org.azuremail.subscription.MoveWorld.HERE;
import static org.azuremail.subscription.MoveWorld.OTHER;
import static org.azuremail.subscription.MoveWorld.THERE;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.time.Duration;
import java.util.function.Consumer;
import org.azuremail.list.ListName;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks a move to another list with every kind of fault at every storage call. */
class ListMoveCrashPointIT {

    private MoveWorld moves = new MoveWorld();

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void repeatingAnUnfinishedMoveFinishesIt(Faults.Mode mode) {
        everyCall(mode, MoveWorld::subscribed, MoveWorld::move, () -> {
            assertThat(moves.active()).isLessThanOrEqualTo(1);
            assertThat(moves.move()).isInstanceOf(EditResult.Saved.class);
            arrived();
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void limitation24_theSchedulerFinishesAnAbandonedMove(Faults.Mode mode) {
        everyCall(mode, MoveWorld::subscribed, MoveWorld::move, () -> {
            boolean begun = begun();
            look();
            if (begun) {
                arrived();
            } else {
                stayed();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void anotherPersonTakesTheAddressThatAnAbandonedMoveLeaves(Faults.Mode mode) {
        Membership carl = new Membership(LIST, address("carl@example.org"));
        Consumer<MoveWorld> both = w -> {
            w.subscribed();
            w.subscriptions().adminAdd(carl.list(), carl.address(), Profile.NONE, true, ADMIN);
        };
        everyCall(mode, both, MoveWorld::move, () -> {
            boolean begun = begun();
            assertThat(moves.move(carl, HERE) instanceof EditResult.Saved).isEqualTo(begun);
            assertThat(moves.active()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void anUnconfirmedPersonIsAskedForTheNewList(Faults.Mode mode) {
        everyCall(mode, w -> w.world.subscribe(BOB), MoveWorld::move, () -> {
            boolean begun = begun();
            look();
            assertThat(moves.active()).isZero();
            if (begun) {
                assertThat(moves.state(THERE)).isEqualTo(SubscriberState.UNCONFIRMED);
                assertThat(moves.world.drainQueue()).contains(moves.get(THERE).guid() + ",sports");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void theOldLinkUnsubscribesWhereverTheMoveStopped(Faults.Mode mode) {
        SubscriberGuid[] link = new SubscriberGuid[1];
        everyCall(mode, w -> link[0] = w.subscribed().guid(), MoveWorld::move, () -> {
            assertThat(moves.subscriptions().leave(LIST, link[0], LINK)).isInstanceOf(LeaveResult.Left.class);
            assertThat(moves.active()).isZero();
            look();
            assertThat(moves.active()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void ifTheNewListIsDeletedMeanwhileNobodyIsLost(Faults.Mode mode) {
        everyCall(mode, MoveWorld::subscribed, MoveWorld::move, () -> {
            boolean gone = moves.state(HERE) == SubscriberState.UNSUBSCRIBED;
            moves.world.lists.markDeleting(OTHER);
            look();
            if (gone) {
                arrived();
            } else {
                stayed();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void aMoveFinishesThoughTheOldListIsDeletedMeanwhile(Faults.Mode mode) {
        everyCall(mode, MoveWorld::subscribed, MoveWorld::move, () -> {
            boolean begun = begun();
            delete(LIST);
            assertThat(moves.world.lists.find(LIST)).isEmpty();
            assertThat(moves.find(THERE).isPresent()).isEqualTo(begun);
            assertThat(moves.active()).isEqualTo(begun ? 1 : 0);
        });
    }

    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void erasingAPersonWhoMovedLeavesNoTraceOnEitherList(Faults.Mode mode) {
        everyCall(
                mode,
                w -> {
                    w.subscribed();
                    w.move();
                },
                w -> w.subscriptions().erase(OTHER, THERE.address(), ADMIN),
                () -> {
                    moves.subscriptions().erase(OTHER, THERE.address(), ADMIN);
                    assertThat(moves.world.rows("news.").toString()).doesNotContain(BOB);
                    assertThat(moves.world.rows("sports.").toString()).doesNotContain(BOB);
                });
    }

    @Test
    void theTwoRowsAreNeverActiveAtTheSameTime() {
        moves.subscribed();
        long[] calls = new long[1];
        moves.world.simulated.hook(new CallHook() {
            private boolean looking;

            @Override
            public void before(Call call) {
                if (!looking) {
                    looking = true;
                    calls[0]++;
                    assertThat(moves.active()).as("before call %s", calls[0]).isLessThanOrEqualTo(1);
                    looking = false;
                }
            }
        });

        moves.move();

        moves.world.simulated.hook(CallHook.NONE);
        assertThat(calls[0]).isGreaterThan(20);
        arrived();
    }

    @Test
    void anotherProcessMayFinishTheMoveAtAnyCall() {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            moves = new MoveWorld();
            moves.subscribed();
            boolean[] begun = new boolean[1];
            long lookAt = moves.world.simulated.calls() + at;
            moves.world.simulated.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    if (!begun[0] && call.number() >= lookAt) {
                        begun[0] = true;
                        look();
                    }
                }
            });

            assertThat(moves.move()).as("look before call %s", at).isInstanceOf(EditResult.Saved.class);

            moves.world.simulated.hook(CallHook.NONE);
            happened = begun[0];
            arrived();
            moves.checkInvariants();
        }
    }

    private void everyCall(Faults.Mode mode, Consumer<MoveWorld> given, Consumer<MoveWorld> action, Runnable then) {
        boolean happened = true;
        long points = 0;
        for (long at = 1; happened; at++) {
            moves = new MoveWorld();
            given.accept(moves);
            moves.world.drainQueue();
            Faults faults = new Faults(mode, at, () -> {});
            moves.world.restart(faults.around(moves.world.simulated.storage()));
            attempt(action);
            happened = faults.calls() >= at;
            points += happened ? 1 : 0;
            moves.world.restart();
            moves.checkInvariants();
            then.run();
            moves.checkInvariants();
        }
        assertThat(points).isGreaterThan(10);
    }

    private void attempt(Consumer<MoveWorld> action) {
        try {
            action.accept(moves);
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }

    private void look() {
        moves.world.time.advance(Duration.ofMinutes(2));
        moves.world.look();
    }

    private void delete(ListName list) {
        ListDeletion deletion = moves.deletion();
        deletion.begin(list);
        for (int run = 0; run < 3; run++) {
            try {
                deletion.service().run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            moves.world.time.advance(Duration.ofMinutes(3));
        }
    }

    private boolean begun() {
        return moves.get(HERE).bookkeeping().movedTo() != null;
    }

    private void arrived() {
        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(moves.get(HERE).bookkeeping().chore()).isNull();
        assertThat(moves.left(HERE)).contains(DepartureReason.MOVED);
        assertThat(moves.state(THERE)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moves.get(THERE).profile().attributes()).containsEntry("hobby", "chess");
        assertThat(moves.world.departed).contains(HERE.address());
        assertThat(moves.active()).isOne();
    }

    private void stayed() {
        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.SUBSCRIBED);
        assertThat(moves.get(HERE).bookkeeping().moving()).isFalse();
        assertThat(moves.active()).isOne();
    }
}
