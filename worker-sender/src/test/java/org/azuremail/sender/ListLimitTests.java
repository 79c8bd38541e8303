package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.MessageRef;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageCalls;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Checks campaigns to several lists, one of which has a limit of its own. */
class ListLimitTests {

    private static final Duration TURN = Duration.ofSeconds(10);

    private final SimulatedWorld world = new SimulatedWorld();
    private final List<Instant> toSlow = new ArrayList<>();

    @Test
    void r16_twoProcessesKeepTheLimitOfAListAndTheOtherListDoesNotWait() {
        ListName slow = world.list("slow", 23, 0);
        ListName free = world.list("free", 23, 0);
        limit(slow, 5, 0);
        MessageRef first = world.message(slow, OnUnknown.HOLD);
        MessageRef other = world.message(free, OnUnknown.HOLD);
        List<SimulatedProcess> processes = List.of(world.process, world.restart());

        turn(processes);
        turn(processes);

        assertThat(taken("free")).isEqualTo(23);
        assertThat(taken("slow")).isEqualTo(5);
        assertThat(world.process.control.progress(world.find(first)).waitReasons())
                .containsExactly(Reason.of(ReasonCode.LIST_RATE_MINUTE, "slow", 5));
        for (int turn = 0; turn < 60; turn++) {
            turn(processes);
        }
        world.assertAccounted(first, verified("slow", 23));
        world.assertAccounted(other, verified("free", 23));
        assertThat(world.transport.taken().values()).containsOnly(1);
        for (int mail = 0; mail + 5 < toSlow.size(); mail++) {
            assertThat(Duration.between(toSlow.get(mail), toSlow.get(mail + 5))).isGreaterThan(Duration.ofMinutes(1));
        }
        assertThat(Duration.between(toSlow.get(0), toSlow.get(22))).isLessThan(Duration.ofMinutes(9));
    }

    @Test
    void r16_aLimitThatIsRemovedLetsTheRestGoAtOnce() {
        ListName slow = world.list("slow", 23, 0);
        limit(slow, 0, 5);
        world.message(slow, OnUnknown.HOLD);
        turns(12);
        assertThat(taken("slow")).isEqualTo(5);

        limit(slow, 0, 12);
        world.process.drain(world.process.sender);
        assertThat(taken("slow")).as("raised").isEqualTo(12);
        limit(slow, 0, 0);
        world.process.drain(world.process.sender);
        assertThat(taken("slow")).as("removed").isEqualTo(23);
    }

    @Test
    void r16_aLimitThatIsNewIsHeardOfWithinHalfAMinute() {
        ListName slow = world.list("slow", 41, 0);
        world.rate = new RateLimit(world.storage.storage(), world.time, "recording", new Limits(0, 4, 0, 0));
        world.restart();
        world.message(slow, OnUnknown.HOLD);
        turns(2);
        assertThat(taken("slow")).isEqualTo(4);

        limit(slow, 0, 6);
        turns(60);

        assertThat(taken("slow")).isEqualTo(10);
    }

    @Test
    void r16_mailsThatTheTransportHoldsBackDoNotCountAgainstTheList() {
        ListName slow = world.list("slow", 41, 0);
        limit(slow, 0, 30);
        RateLimit transport = new RateLimit(world.storage.storage(), world.time, "recording", new Limits(0, 0, 10, 0));
        world.rate = transport;
        world.restart();
        world.message(slow, OnUnknown.HOLD);
        turns(60);
        assertThat(taken("slow")).as("the tightest limit wins").isEqualTo(10);

        transport.change(new Limits(0, 0, 1_000, 0));
        world.process.waiting.resume();
        world.process.drain(world.process.sender);

        assertThat(taken("slow")).isEqualTo(30);
    }

    @Test
    void r16_inAMessageToSeveralListsOnlyTheLimitedOneWaits() {
        ListName slow = world.list("slow", 23, 0);
        ListName free = world.list("free", 23, 0);
        limit(slow, 5, 0);
        MessageRef ref = world.message(Audience.of(List.of(slow, free)), OnUnknown.HOLD, world.time.instant());

        turns(2);

        assertThat(taken("free")).isEqualTo(23);
        assertThat(taken("slow")).isEqualTo(5);
        world.runToEnd();
        assertThat(world.outcomes(ref)).hasSize(46);
    }

    @Test
    void r16_aListWithoutALimitCostsNothingMore() {
        ListName list = world.list("plain", 41, 0);
        calls(list);
        long without = calls(list);
        limit(list, 1_000, 0);
        long with = calls(list);
        limit(list, 0, 0);

        assertThat(calls(list)).isEqualTo(without).isLessThan(with);
    }

    @Test
    void r16_aRangeThatWaitsCostsNextToNothing() {
        ListName slow = world.list("slow", 41, 0);
        limit(slow, 0, 10);
        world.message(slow, OnUnknown.HOLD);
        turns(12);
        StorageCalls calls = new StorageCalls("test");
        SimulatedProcess counted = counted(calls);
        for (int turn = 0; turn < 180; turn++) {
            counted.senders.forEach(counted::drain);
            world.time.advance(TURN);
        }
        assertThat(taken("slow")).isEqualTo(10);
        assertThat(sum(calls) - 180L * counted.senders.size())
                .as("half an hour's calls")
                .isLessThan(100);
    }

    @Test
    void r16_rangesThatWaitForOneLimitLookInTurn() {
        ListName slow = world.list("slow", 200, 0);
        limit(slow, 5, 0);
        world.message(slow, OnUnknown.HOLD);
        StorageCalls calls = new StorageCalls("test");
        SimulatedProcess counted = counted(calls);
        for (int turn = 0; turn < 400; turn++) {
            counted.turn();
            world.time.advance(TURN);
        }

        assertThat(taken("slow")).isEqualTo(200);
        assertThat(claimsAndClears(calls))
                .as("writes of ranges for 200 mails; three times as many where all look at the same time")
                .isLessThan(1_200);
    }

    @Test
    void r16_aListIsMailedAsFastAsItsLimitLetsIt() {
        ListName slow = world.list("slow", 61, 0);
        limit(slow, 7, 0);
        MessageRef ref = world.message(slow, OnUnknown.HOLD);

        for (int second = 0; taken("slow") < 61 && second < 1_800; second++) {
            if (second % 60 == 0) {
                world.process.look();
                world.process.drain(world.process.fanOut);
            }
            world.process.drain(world.process.sender);
            noteSlow();
            world.time.advance(Duration.ofSeconds(1));
        }

        assertThat(Duration.between(toSlow.get(0), toSlow.get(60)))
                .as("eight minutes are full before the last one")
                .isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
        world.runToEnd();
        world.assertAccounted(ref, verified("slow", 61));
    }

    private static long claimsAndClears(StorageCalls calls) {
        return calls.snapshot().entrySet().stream()
                .filter(entry -> entry.getKey().name().equals("message")
                        && entry.getKey().operation() == StorageCalls.Operation.WRITE)
                .mapToLong(entry -> entry.getValue().calls())
                .sum();
    }

    /** Returns the calls for sending a message to a whole list, by a process that has cached nothing. */
    private long calls(ListName list) {
        StorageCalls calls = new StorageCalls("test");
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        world.process.look();
        world.process.drain(world.process.fanOut);
        SimulatedProcess counted = counted(calls);
        counted.drain(counted.sender);
        world.runToEnd();
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(41);
        return sum(calls);
    }

    private SimulatedProcess counted(StorageCalls calls) {
        return new SimulatedProcess(
                calls.around(world.storage.storage()),
                world.time,
                world.ids,
                SimulatedWorld.SMALL,
                world.transport,
                world.rate);
    }

    private static long sum(StorageCalls calls) {
        return calls.snapshot().values().stream()
                .mapToLong(StorageCalls.Count::calls)
                .sum();
    }

    /** Changes the limit as the list's page does. */
    private void limit(ListName name, int perMinute, int perHour) {
        Versioned<MailingList> list = world.process.lists.find(name).orElseThrow();
        MailingList changed = Lists.with(list.value(), "limits", new Limits(0, perMinute, perHour, 0));
        world.process.lists.update(changed, list.etag());
        world.process.waiting.changed(list.value(), changed);
    }

    private int taken(String list) {
        return (int) world.transport.taken().keySet().stream()
                .filter(mail -> mail.contains("@" + list + ".test"))
                .count();
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            turn(List.of(world.process));
        }
    }

    private void turn(List<SimulatedProcess> processes) {
        processes.forEach(SimulatedProcess::turn);
        noteSlow();
        world.time.advance(TURN);
    }

    private void noteSlow() {
        while (toSlow.size() < taken("slow")) {
            toSlow.add(world.time.instant());
        }
    }
}
