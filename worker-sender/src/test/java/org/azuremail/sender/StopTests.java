package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeState;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.storage.simulated.CallHook;
import org.junit.jupiter.api.Test;

/** Checks processes that are asked to stop in the middle of a campaign. */
class StopTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void e21_aSenderThatStopsBetweenTwoLotsGivesItsRangeBackAtOnce() {
        MessageRef ref = fannedOut(world.list("contoso1", 1, 12, 0));
        SimulatedProcess stopping = world.process;
        stopping.stopping = () -> world.transport.handOvers() > 0 && !world.transport.inFlight();

        stopping.receive(stopping.sender, 1).forEach(item -> stopping.handle(stopping.sender, item));

        assertThat(world.transport.handOvers()).isOne();
        assertThat(ranges(ref)).hasSize(2).allSatisfy(range -> assertThat(range.state())
                .isEqualTo(RangeState.OPEN));
        assertThat(world.outcomes(ref)).as("what was handed over is recorded").hasSize(4);
        assertThat(ranges(ref).stream().mapToLong(range -> range.counts().sum()).sum())
                .as("and counted")
                .isEqualTo(4);

        SimulatedProcess next = world.restart();
        next.drain(next.sender);

        assertThat(world.transport.taken())
                .as("without any time going by, another process has gone on")
                .hasSize(12);
        assertAllSentOnce(ref, 12);
    }

    /**
     * A relay may need a second for each email. The sender does not wait for the 98 behind it, and none of them is in
     * doubt.
     */
    @Test
    void e21_aSenderThatStopsBetweenTwoMailsTakesBackMailsItHasNotBegun() {
        MessageRef ref = fannedOut(world.list("contoso1", 1, 12, 0));
        AtomicInteger mails = new AtomicInteger();
        world.transport.betweenMails(mails::incrementAndGet);
        SimulatedProcess stopping = world.process;
        stopping.stopping = () -> mails.get() >= 2;

        stopping.receive(stopping.sender, 1).forEach(item -> stopping.handle(stopping.sender, item));

        assertThat(world.transport.taken()).as("of a lot of four").hasSize(2);
        assertThat(world.outcomes(ref)).hasSize(2).doesNotContainValue(Outcome.UNKNOWN);
        assertThat(ranges(ref)).allSatisfy(range -> assertThat(range.state()).isEqualTo(RangeState.OPEN));
        SimulatedProcess next = world.restart();
        next.drain(next.sender);
        assertThat(world.transport.taken())
                .as("without any time going by, another process has gone on")
                .hasSize(12);
        assertAllSentOnce(ref, 12);
    }

    /** A server may take minutes until it greets. */
    @Test
    void e21_aSenderThatStopsWhileItWaitsForATransportWaitsNoLonger() {
        fannedOut(world.list("contoso1", 1, 12, 0));
        AtomicInteger looks = new AtomicInteger();
        SimulatedProcess stopping = world.process;
        stopping.stopping = () -> looks.get() >= 3;
        world.transport.preparing(mayWait -> {
            while (looks.get() < 100 && mayWait.getAsBoolean()) {
                looks.incrementAndGet();
            }
        });

        stopping.receive(stopping.sender, 1).forEach(item -> stopping.handle(stopping.sender, item));

        assertThat(looks).hasValue(3);
    }

    @Test
    void e21_aSenderThatIsStoppingBeginsNothing() {
        MessageRef ref = fannedOut(world.list("contoso1", 9, 0));
        world.process.stopping = () -> true;

        for (int delivery = 0; delivery < 5; delivery++) {
            world.process
                    .receive(world.process.sender, 1)
                    .forEach(item -> world.process.handle(world.process.sender, item));
        }

        assertThat(world.transport.handOvers()).isZero();
        assertThat(ranges(ref)).isNotEmpty().allSatisfy(range -> assertThat(range.state())
                .isEqualTo(RangeState.OPEN));
        world.restart();
        world.runToEnd();
        assertAllSentOnce(ref, 9);
    }

    @Test
    void e21_defect20_aSchedulerThatStopsInAHugeListGivesItsShardBackAtOnce() {
        MessageRef ref = world.message(world.list("contoso1", 1, 60, 5), OnUnknown.HOLD);
        AtomicInteger batches = new AtomicInteger();
        world.storage.hook(countingFanOut(batches));
        SimulatedProcess stopping = world.process;
        stopping.look();
        stopping.stopping = () -> batches.get() >= 3;

        List<QueueItem> items = stopping.receive(stopping.fanOut, 1);
        items.forEach(item -> stopping.handle(stopping.fanOut, item));
        world.storage.hook(CallHook.NONE);

        ShardControl left = shard(ref);
        assertThat(left.walked()).isFalse();
        assertThat(left.recipients()).isBetween(1L, 30L);
        assertThat(left.holder().leaseEnd()).as("free at once").isBeforeOrEqualTo(world.time.instant());
        assertThat(world.storage.queues().peek(FanOutItem.TYPE.queue(), 32))
                .as("the item waits for somebody else")
                .hasSize(1);

        SimulatedProcess next = world.restart();
        next.drain(next.fanOut);

        assertThat(shard(ref).walked()).isTrue();
        world.runToEnd();
        assertAllSentOnce(ref, 60);
    }

    @Test
    void e13_aSendThatTakesLongerThanTheLeaseIsNotBegunByASecondWorker() {
        MessageRef ref = fannedOut(world.list("contoso1", 1, 4, 0));
        QueueItem item = world.storage.queues().peek(MailItem.TYPE.queue(), 1).get(0);
        SimulatedProcess slow = world.process;
        SimulatedProcess second = world.restart();
        world.transport.betweenMails(() -> {
            world.time.advance(Duration.ofSeconds(20));
            second.handle(second.sender, item);
            assertThat(world.outcomes(ref)).as("what the second worker decided").isEmpty();
        });

        slow.drain(slow.sender);

        assertThat(world.transport.handOvers()).isOne();
        world.runToEnd();
        assertAllSentOnce(ref, 4);
    }

    @Test
    void e22_twoMinutesWithoutStorageInTheMiddleOfACampaignCostNothing() {
        MessageRef ref = world.message(world.list("contoso1", 30, 0), OnUnknown.HOLD);
        AtomicInteger refused = new AtomicInteger();
        world.transport.afterHandOver(() -> {
            if (world.transport.handOvers() == 3) {
                world.storage.hook(new Outage(world, Duration.ofMinutes(2), refused));
            }
        });

        turns(30);

        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertAllSentOnce(ref, 30);
        assertThat(world.deadLetters()).isEmpty();
        assertThat(world.process.thrown).isEmpty();
    }

    @Test
    void e22_twoMinutesWithoutStorageInTheMiddleOfFanOutCostNothing() {
        MessageRef ref = world.message(world.list("contoso1", 30, 0), OnUnknown.HOLD);
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger batches = new AtomicInteger();
        world.storage.hook(new CallHook() {
            @Override
            public void after(Call call) {
                countingFanOut(batches).after(call);
                if (batches.get() == 2) {
                    world.storage.hook(new Outage(world, Duration.ofMinutes(2), refused));
                }
            }
        });

        turns(30);

        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertAllSentOnce(ref, 30);
        assertThat(world.process.thrown).isEmpty();
    }

    @Test
    void e22_storageThatGoesWhileALotLeavesTakesNoAnswerWithIt() {
        MessageRef ref = world.message(world.list("contoso1", 30, 0), OnUnknown.HOLD);
        AtomicInteger refused = new AtomicInteger();
        world.transport.betweenMails(() -> {
            if (refused.get() == 0) {
                world.time.advance(Duration.ofSeconds(20));
                world.storage.hook(new Outage(world, Duration.ofMinutes(2), refused));
            }
        });

        turns(30);

        assertThat(refused).as("calls that were refused").hasPositiveValue();
        assertAllSentOnce(ref, 30);
        assertThat(world.process.thrown).isEmpty();
    }

    /** Works like the runtime: after each turn, even a failed one, the next turn begins. */
    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    private MessageRef fannedOut(ListName list) {
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        return ref;
    }

    private List<Range> ranges(MessageRef ref) {
        return List.of(0, 1).stream()
                .flatMap(shard -> controls(ref, shard).ranges().stream())
                .map(Versioned::value)
                .toList();
    }

    private ShardControl shard(MessageRef ref) {
        return controls(ref, 0).shard().orElseThrow().value();
    }

    private DeliveryStore.Controls controls(MessageRef ref, int shard) {
        return world.process.deliveries.controls(new ShardKey(ref, shard));
    }

    private void assertAllSentOnce(MessageRef ref, int recipients) {
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", recipients));
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(recipients);
        assertThat(world.transport.taken()).hasSize(recipients);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    private static CallHook countingFanOut(AtomicInteger batches) {
        return new CallHook() {
            @Override
            public void after(Call call) {
                if (call.kind() == Kind.WRITE && call.partition().startsWith("mail.")) {
                    batches.incrementAndGet();
                }
            }
        };
    }
}
