package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.MoveWorld.HERE;
import static org.azuremail.subscription.MoveWorld.THERE;
import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LINK;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.Subscriptions.EraseResult;
import org.azuremail.subscription.Subscriptions.LeaveResult;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;

/** Checks a move while another process works on the same subscriber. */
class MoveRaceTest {

    private MoveWorld moves = new MoveWorld();

    /** A slow process creates the new row after other processes have undone the move. */
    @Test
    void aPersonWhoseMoveWasLostCanUnsubscribe() {
        moves.subscribed();
        moves.subscriptions().adminAdd(THERE.list(), THERE.address(), Profile.NONE, false, ADMIN);
        Versioned<Subscriber> existing = moves.find(THERE).orElseThrow();
        Bookkeeping.Move arriving = new Bookkeeping.Move(null, HERE, SubscriberState.SUBSCRIBED, null);
        Subscriber orphan = existing.value().withBookkeeping(Bookkeeping.NONE.withMove(arriving));
        String partition = SubscriberKeys.partition(orphan.list(), orphan.shard());
        moves.world
                .tables()
                .write(
                        SubscriptionStore.TABLE,
                        partition,
                        new Write.Replace(orphan.rowKey(), SubscriberRow.values(orphan), existing.etag()));

        LeaveResult left = moves.subscriptions().leave(THERE.list(), THERE.address(), LINK);

        assertThat(left).isInstanceOf(LeaveResult.Left.class);
        assertThat(moves.state(THERE)).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(moves.state(HERE)).isEqualTo(SubscriberState.SUBSCRIBED);
        moves.checkInvariants();
    }

    @Test
    void aMoveAndAnEditOfTheSameVersionAreNeverBothSaved() {
        int edits = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            moves = new MoveWorld();
            moves.subscribed();
            String seen = moves.find(HERE).orElseThrow().etag();
            AtCall edit = new AtCall(moves.world, at, w -> w.subscriptions()
                    .adminEdit(HERE.list(), HERE.address(), seen, new Profile("Robert", Map.of()), true, ADMIN));

            EditResult moved = moveWith(edit);

            happened = edit.result != null;
            boolean edited = edit.result instanceof EditResult.Saved;
            edits += edited ? 1 : 0;
            assertThat(moved instanceof EditResult.Saved).as("call %s", at).isEqualTo(!edited);
            assertThat(moves.active()).as("call %s", at).isEqualTo(1);
        }
        assertThat(edits).isPositive();
    }

    @Test
    void aMoveDoesNotResubscribeAPersonWhoUnsubscribedMeanwhile() {
        int left = 0;
        boolean happened = true;
        for (long at = 1; happened; at++) {
            moves = new MoveWorld();
            moves.subscribed();
            AtCall joinAndLeave = new AtCall(moves.world, at, w -> {
                EditResult added = w.subscriptions().adminAdd(THERE.list(), THERE.address(), Profile.NONE, true, ADMIN);
                if (added instanceof EditResult.Saved) {
                    w.subscriptions().leave(THERE.list(), THERE.address(), LINK);
                }
                return added;
            });

            moveWith(joinAndLeave);

            happened = joinAndLeave.result != null;
            if (joinAndLeave.result instanceof EditResult.Saved) {
                left++;
                assertThat(moves.state(THERE)).as("call %s", at).isEqualTo(SubscriberState.UNSUBSCRIBED);
                assertThat(moves.state(HERE)).as("call %s", at).isEqualTo(SubscriberState.SUBSCRIBED);
            }
        }
        assertThat(left).isPositive();
    }

    /**
     * A process that moves a person sleeps at any call, while another one finishes the move, and the person is erased.
     */
    @Test
    void aMoveBringsNobodyBackWhoWasErasedMeanwhile() {
        int erased = 0;
        boolean reached = true;
        for (long at = 1; reached; at++) {
            moves = new MoveWorld();
            moves.subscribed();
            EraseResult[] result = new EraseResult[1];
            AtCall finishAndErase = new AtCall(moves.world, at, w -> {
                w.time.advance(Duration.ofMinutes(2));
                w.look();
                result[0] = w.subscriptions().erase(THERE.list(), THERE.address(), ADMIN);
                return null;
            });

            moveWith(finishAndErase);

            reached = finishAndErase.begun;
            if (result[0] == EraseResult.ERASED) {
                erased++;
                assertThat(moves.find(HERE)).as("call %s", at).isEmpty();
                assertThat(moves.find(THERE)).as("call %s", at).isEmpty();
            }
        }
        assertThat(erased).isPositive();
    }

    /**
     * The process sleeps while another one gives the move up, because the new address is taken, and moves the person
     * elsewhere.
     */
    @Test
    void aMoveThatWasGivenUpDoesNothingToTheNextOne() {
        Membership elsewhere = new Membership(HERE.list(), SubscriptionWorld.address("robert@example.org"));
        int moved = 0;
        boolean reached = true;
        for (long at = 1; reached; at++) {
            moves = new MoveWorld();
            moves.subscribed();
            EditResult[] next = new EditResult[1];
            AtCall another = new AtCall(moves.world, at, w -> {
                w.subscriptions().adminAdd(THERE.list(), THERE.address(), Profile.NONE, false, ADMIN);
                w.time.advance(Duration.ofMinutes(2));
                w.look();
                if (moves.state(HERE) == SubscriberState.SUBSCRIBED) {
                    next[0] = moves.move(HERE, elsewhere);
                    w.subscriptions().erase(THERE.list(), THERE.address(), ADMIN);
                }
                return null;
            });

            moveWith(another);

            reached = another.begun;
            if (next[0] instanceof EditResult.Saved) {
                moved++;
                assertThat(moves.active()).as("call %s", at).isEqualTo(1);
                assertThat(moves.find(THERE)).as("call %s", at).isEmpty();
                assertThat(moves.state(elsewhere)).as("call %s", at).isEqualTo(SubscriberState.SUBSCRIBED);
            }
        }
        assertThat(moved).isPositive();
    }

    private EditResult moveWith(AtCall another) {
        String seen = moves.find(HERE).orElseThrow().etag();
        another.begin();
        EditResult moved = moves.subscriptions().move(HERE, seen, THERE, ADMIN);
        moves.world.simulated.hook(CallHook.NONE);
        moves.checkInvariants();
        return moved;
    }

    /** Runs another process right before one storage call. */
    private static final class AtCall implements CallHook {

        private final SubscriptionWorld world;
        private final long at;
        private final Function<SubscriptionWorld, EditResult> act;
        private long callNumber;
        private boolean begun;
        private EditResult result;

        AtCall(SubscriptionWorld world, long at, Function<SubscriptionWorld, EditResult> act) {
            this.world = world;
            this.at = at;
            this.act = act;
        }

        void begin() {
            callNumber = world.simulated.calls() + at;
            world.simulated.hook(this);
        }

        @Override
        public void before(Call call) {
            if (begun || call.number() < callNumber) {
                return;
            }
            begun = true;
            world.restart();
            result = act.apply(world);
        }
    }
}
