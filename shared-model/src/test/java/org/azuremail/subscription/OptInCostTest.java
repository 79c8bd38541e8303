package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.subscription.SubscriptionWorld.LINK;
import static org.azuremail.subscription.SubscriptionWorld.LIST;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.azuremail.list.OptIn;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the number of storage calls for joining, which callers wait for them, and that saving calls weakens no
 * promise.
 */
class OptInCostTest {

    private static final String ANN = "ann@example.org";
    private static final String BOB = "bob@example.org";

    private SubscriptionWorld world = new SubscriptionWorld(OptIn.DOUBLE, 1);

    @Test
    void joiningAtOnceIsOneBatchThreeReadsAndTheDirectory() {
        world = new SubscriptionWorld(OptIn.SINGLE, 1);
        world.subscribe(ANN);

        world.simulated.resetCounters();
        world.subscribe(BOB);

        assertThat(world.simulated.callsByKind()).isEqualTo(Map.of(Call.Kind.GET, 3L, Call.Kind.WRITE, 2L));
    }

    @Test
    void askingForAConfirmationIsOneBatchOneItemThreeReadsAndTheDirectory() {
        world.subscribe(ANN);
        world.time.advance(Duration.ofSeconds(29));

        world.simulated.resetCounters();
        world.subscribe(BOB);

        assertThat(world.simulated.callsByKind())
                .isEqualTo(Map.of(Call.Kind.GET, 3L, Call.Kind.WRITE, 2L, Call.Kind.SEND, 1L));
    }

    @Test
    void halfAMinuteLaterTheShardIsAnnouncedAnew() {
        world.subscribe(ANN);
        world.time.advance(Duration.ofSeconds(30));

        world.simulated.resetCounters();
        world.subscribe(BOB);

        assertThat(world.simulated.calls(Call.Kind.WRITE)).isEqualTo(3);
    }

    @Test
    void aPersonOnTheListWaitsForNoOtherWrite() {
        world.subscribe(ANN);
        world.subscriptions().confirm(LIST, world.link(ANN), LINK);
        SubscribeResult[] again = new SubscribeResult[1];
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    again[0] = CompletableFuture.supplyAsync(() -> world.subscribe(ANN))
                            .orTimeout(30, TimeUnit.SECONDS)
                            .join();
                }
            }
        });

        world.subscribe(BOB);

        assertThat(again[0]).isInstanceOf(SubscribeResult.AlreadySubscribed.class);
    }

    @Test
    void aSlowTidyingTakesNoRowAwayThatWasReliedOnMeanwhile() {
        boolean happened = true;
        int points = 0;
        for (int at = 1; happened; at++) {
            world = new SubscriptionWorld(OptIn.DOUBLE, 1);
            happened = somebodyJoinsAfterCallOfATidying(at);
            points += happened ? 1 : 0;
            world.checkInvariants();
        }
        assertThat(points).isGreaterThan(2);
    }

    private boolean somebodyJoinsAfterCallOfATidying(int at) {
        world.subscribe(ANN);
        world.subscriptions().confirm(LIST, world.link(ANN), LINK);
        Row index = indexRow();
        long number = world.simulated.calls() + at;
        boolean[] joined = new boolean[1];
        world.simulated.hook(new CallHook() {
            @Override
            public void after(Call call) {
                if (call.number() == number) {
                    joined[0] = true;
                    world.subscribe(BOB);
                    world.time.advance(Duration.ofMinutes(6));
                }
            }
        });
        world.feature.confirmations().requeueStale(index);
        world.simulated.hook(CallHook.NONE);
        return joined[0];
    }

    @Test
    void aRowThatSomebodyRemovedByHandIsWrittenAgainHalfAMinuteLater() {
        world.subscribe(ANN);
        world.tables().write(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, Write.delete(indexRow()));
        world.time.advance(Duration.ofSeconds(30));

        world.subscribe(BOB);

        world.checkInvariants();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowThatWasTakenAwayWhileSomebodyJoinedSlowlyIsWrittenAgain(boolean machineSlept) {
        world.subscribe(ANN);
        world.time.advance(Duration.ofSeconds(29));
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    world.simulated.hook(CallHook.NONE);
                    if (machineSlept) {
                        world.time.shiftWallClock(Duration.ofMinutes(6));
                    } else {
                        world.time.advance(Duration.ofMinutes(6));
                    }
                    world.tables().write(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, Write.delete(indexRow()));
                }
            }
        });

        world.subscribe(BOB);

        world.checkInvariants();
    }

    private Row indexRow() {
        return Rows.all(world.tables(), ShardChoreIndex.TABLE, KeyRange.partition(ShardChoreIndex.PARTITION))
                .get(0);
    }
}
