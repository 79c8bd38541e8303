package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.azuremail.work.Switches;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.WatchedHolders;
import org.azuremail.work.queue.DeadLetter;
import org.junit.jupiter.api.Test;

/** Checks the figures that are shown for queues, scheduled services and processes. */
class OperationsTest extends OnOperations {

    @Test
    void k21_aQueueShowsItsItemsTheirAgeTheirTimeAndWhatRemains() {
        sender(2, "mill", senderFacts("4", "10 90", "40000 500000", "3 5")).heartbeat();
        sender(3, "barn", senderFacts("2", "10 10", "20000 20000", "0 0")).heartbeat();
        send(24);
        time.advance(Duration.ofMinutes(7));
        deadLetters.add(DeadLetter.of(QUEUE, "a", "text", Reason.ofText("reason"), time.instant(), 5));
        deadLetters.add(DeadLetter.of(QUEUE, "b", "text", Reason.ofText("reason"), time.instant(), 5));

        Overview.Queue queue = queue(QUEUE);

        assertThat(queue.waiting()).isEqualTo(24);
        assertThat(queue.oldest()).isEqualTo(Duration.ofMinutes(7));
        assertThat(queue.average()).isEqualTo(Duration.ofSeconds(3));
        assertThat(queue.places()).isEqualTo(6);
        assertThat(queue.remaining()).isEqualTo(Duration.ofSeconds(12));
        assertThat(queue.finished()).isEqualTo(20);
        assertThat(queue.failed()).isEqualTo(3);
        assertThat(queue.deadLetters()).isEqualTo(2);
        assertThat(queue.abandoned()).isFalse();
        assertThat(queue(CONFIRMATIONS).waiting()).isZero();
    }

    @Test
    void theTriesOfItemsThatComeAgainAreShown() {
        send(1);
        for (int i = 0; i < 3; i++) {
            storage.queues().receive(QUEUE, 1, Duration.ofSeconds(30));
            time.advance(Duration.ofSeconds(30));
        }

        assertThat(queue(QUEUE).deliveries()).isEqualTo(3);
    }

    @Test
    void anHourWithoutWorkLeavesTheAverageOfTheTimeBefore() {
        sender(2, "mill", senderFacts("4", "0 50", "0 100000", "0 0")).heartbeat();
        send(2);

        assertThat(queue(QUEUE).average()).isEqualTo(Duration.ofSeconds(2));
        assertThat(queue(QUEUE).remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void unknownFiguresAreNotMadeUp() {
        send(2);
        assertThat(queue(QUEUE).abandoned()).isTrue();
        assertThat(queue(QUEUE).average()).isNull();
        assertThat(queue(QUEUE).remaining()).isNull();

        sender(2, "mill", senderFacts("4", "0 0", "0 0", "0 0")).heartbeat();
        later();

        assertThat(queue(QUEUE).abandoned()).isFalse();
        assertThat(queue(QUEUE).remaining()).isNull();
    }

    @Test
    void aProcessThatFallsSilentIsShownAndNoLongerCountedOn() {
        Instances mill = sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0"));
        Instances barn = sender(3, "barn", senderFacts("2", "10 10", "20000 20000", "0 0"));
        mill.heartbeat();
        barn.heartbeat();
        assertThat(operations.overview().instances())
                .extracting(Overview.Process::name)
                .containsExactlyInAnyOrder("front", "mill", "barn");

        time.advance(Instances.LIVE);
        mill.heartbeat();
        web.heartbeat();

        assertThat(operations.overview().instances())
                .filteredOn(process -> !process.alive())
                .extracting(Overview.Process::name)
                .containsExactly("barn");
        assertThat(queue(QUEUE).places()).isEqualTo(4);
    }

    @Test
    void aKilledProcessIsNotCountedOnFromThenOn() {
        Map<String, String> facts = senderFacts("4", "10 10", "40000 40000", "0 0");
        Instances mill =
                new Instances(storage, time, new WatchedHolders(() -> "killed", gone), () -> Stream.of(() -> facts));
        mill.register(new Registration("mill", Set.of("sender"), Set.of(QUEUE), Set.of(), ""));
        mill.heartbeat();
        assertThat(queue(QUEUE).places()).isEqualTo(4);

        gone.add("killed");
        later();

        assertThat(queue(QUEUE).places()).isZero();
        assertThat(operations.overview().instances())
                .filteredOn(Overview.Process::gone)
                .singleElement()
                .satisfies(process -> assertThat(process.alive()).isFalse());
    }

    @Test
    void numbersOfTheLastHourSaySinceWhenTheyCountAll() {
        Instant began = time.instant();
        assertThat(operations.overview().countedSince()).isEqualTo(began);

        time.advance(Duration.ofMinutes(30));
        sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0")).heartbeat();
        assertThat(operations.overview().countedSince()).isEqualTo(began.plus(Duration.ofMinutes(30)));

        time.advance(Duration.ofHours(1));
        assertThat(operations.overview().countedSince()).isNull();
    }

    @Test
    void aProcessThatMissesAHeartbeatIsNoLongerSaidToLive() {
        sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0")).heartbeat();
        time.advance(Instances.HEARTBEAT.plusSeconds(61));

        assertThat(operations.overview().instances())
                .filteredOn(process -> process.late(time.instant()))
                .extracting(Overview.Process::name)
                .containsExactly("mill");
    }

    @Test
    void l13_stoppedQueuesAndServicesAreShownAndHaveNoEnd() {
        Instances mill = sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0"));
        mill.heartbeat();
        send(8);

        operations.stop(QUEUE, "ann@example.org");
        operations.stop("trim", "ann@example.org");

        assertThat(queue(QUEUE).stop()).isEqualTo(new Switches.Stop(QUEUE, time.instant(), "ann@example.org"));
        assertThat(queue(QUEUE).remaining()).isNull();
        assertThat(operations.overview().services())
                .extracting(Overview.Service::name, Overview.Service::instances, service -> service.stop() != null)
                .containsExactly(tuple("sums", 1, false), tuple("trim", 1, true));

        operations.start(QUEUE);

        assertThat(queue(QUEUE).stop()).isNull();
        assertThat(queue(QUEUE).remaining()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void aQueueThatIsStoppedOnPurposeIsNotAbandoned() {
        send(8);
        assertThat(queue(QUEUE).abandoned()).isTrue();

        operations.stop(QUEUE, "ann@example.org");

        assertThat(queue(QUEUE).abandoned()).isFalse();
    }

    @Test
    void anInstanceIsAsBusyAsItsPlacesWere() {
        sender(2, "mill", senderFacts("4", "10 10", "3600000 3600000", "0 0")).heartbeat();

        assertThat(operations.overview().instances())
                .filteredOn(process -> process.name().equals("mill"))
                .singleElement()
                .satisfies(mill -> assertThat(mill.busyPercent()).isEqualTo(25));
        assertThat(operations.overview().instances())
                .filteredOn(process -> process.name().equals("front"))
                .singleElement()
                .satisfies(front -> assertThat(front.busyPercent()).isNull());
    }

    @Test
    void manyDeadLettersAreSaidToBeMore() {
        IntStream.range(0, Operations.DEAD_LETTERS + 1)
                .forEach(n -> deadLetters.add(
                        DeadLetter.of(QUEUE, "i" + n, "text", Reason.ofText("reason"), time.instant(), 5)));

        assertThat(operations.overview().deadLettersCut()).isTrue();
        assertThat(queue(QUEUE).deadLetters()).isEqualTo(Operations.DEAD_LETTERS);
    }

    @Test
    void factsOfAnotherVersionHurtNobody() {
        sender(
                        2,
                        "mill",
                        Map.of(
                                "seconds",
                                "soon",
                                "calls/queue",
                                "1 1",
                                "calls/queue/a/receive",
                                "many",
                                "work/" + QUEUE + "/finished",
                                "-1 2",
                                "places/" + QUEUE,
                                "4",
                                "new",
                                "fact"))
                .heartbeat();

        assertThat(queue(QUEUE).places()).isEqualTo(4);
        assertThat(queue(QUEUE).finished()).isZero();
    }

    private static Map<String, String> senderFacts(String places, String finished, String millis, String failed) {
        return Map.of(
                "seconds",
                "3600",
                "capacity",
                places,
                "places/" + QUEUE,
                places,
                "work/" + QUEUE + "/finished",
                finished,
                "work/" + QUEUE + "/millis",
                millis,
                "work/" + QUEUE + "/failed",
                failed);
    }

    private Overview.Queue queue(String name) {
        return operations.overview().queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
