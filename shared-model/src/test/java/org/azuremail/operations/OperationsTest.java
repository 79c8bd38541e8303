package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Currency;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageCalls;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.DeadLetter;
import org.azuremail.work.DeadLetters;
import org.azuremail.work.Switches;
import org.azuremail.work.WorkQueues;
import org.azuremail.work.Workload;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Birth;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two senders and the process that looks, on one file. */
class OperationsTest {

    private static final String QUEUE = "azuremailqueue";
    private static final String CONFIRMATIONS = "azuremailsubscribequeue";

    @TempDir
    Path directory;

    private final ManualTime time = new ManualTime();
    private final StorageCalls calls = new StorageCalls("web");
    private EmbeddedStorage embedded;
    private Storage storage;
    private DeadLetters deadLetters;
    private Instances web;
    private Operations operations;

    @BeforeEach
    void aWebProcess() {
        embedded = EmbeddedStorage.open(directory, time);
        storage = calls.around(embedded.storage());
        WorkQueues work = WorkQueues.of(storage);
        deadLetters = new DeadLetters(storage, work);
        web = new Instances(storage, time, new SeededIds(1), Stream::of);
        operations = new Operations(
                web,
                new ProcessFacts(calls, new Workload(), time),
                deadLetters,
                Switches.of(storage, time),
                new QueueWatch(storage.queues(), work),
                () -> Set.of(QUEUE, CONFIRMATIONS),
                new OperationsProperties(new BigDecimal("0.10"), Currency.getInstance("USD")),
                time);
        web.begin(new Birth("front", Set.of("web"), Set.of(), Set.of(), ""));
        web.heartbeat();
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    @Test
    void k21_aQueueShowsItsItemsTheirAgeTheirTimeAndWhatRemains() {
        sender(2, "mill", senderFacts("4", "10 90", "40000 500000", "3 5")).heartbeat();
        sender(3, "barn", senderFacts("2", "10 10", "20000 20000", "0 0")).heartbeat();
        send(24);
        time.advance(Duration.ofMinutes(7));
        deadLetters.add(DeadLetter.of(QUEUE, "a", "text", "reason", time.instant(), 5));
        deadLetters.add(DeadLetter.of(QUEUE, "b", "text", "reason", time.instant(), 5));

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
    void whatNobodyCanKnowIsNotMadeUp() {
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
    void whoFallsSilentIsShownAndNoLongerCountedOn() {
        Instances mill = sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0"));
        Instances barn = sender(3, "barn", senderFacts("2", "10 10", "20000 20000", "0 0"));
        mill.heartbeat();
        barn.heartbeat();
        assertThat(operations.look().instances())
                .extracting(Overview.Process::name)
                .containsExactlyInAnyOrder("front", "mill", "barn");

        time.advance(Instances.LIVE);
        mill.heartbeat();
        web.heartbeat();

        assertThat(operations.look().instances())
                .filteredOn(process -> !process.alive())
                .extracting(Overview.Process::name)
                .containsExactly("barn");
        assertThat(queue(QUEUE).places()).isEqualTo(4);
    }

    @Test
    void l13_whatIsStoppedIsShownAndHasNoEnd() {
        Instances mill = sender(2, "mill", senderFacts("4", "10 10", "40000 40000", "0 0"));
        mill.heartbeat();
        send(8);

        operations.stop(QUEUE, "ann@example.org");
        operations.stop("trim", "ann@example.org");

        assertThat(queue(QUEUE).stop()).isEqualTo(new Switches.Stop(QUEUE, time.instant(), "ann@example.org"));
        assertThat(queue(QUEUE).remaining()).isNull();
        assertThat(operations.look().services())
                .extracting(Overview.Service::name, Overview.Service::instances, service -> service.stop() != null)
                .containsExactly(tuple("sums", 1, false), tuple("trim", 1, true));

        operations.start(QUEUE);

        assertThat(queue(QUEUE).stop()).isNull();
        assertThat(queue(QUEUE).remaining()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void whatIsStoppedOnPurposeIsNotAbandoned() {
        send(8);
        assertThat(queue(QUEUE).abandoned()).isTrue();

        operations.stop(QUEUE, "ann@example.org");

        assertThat(queue(QUEUE).abandoned()).isFalse();
    }

    @Test
    void anInstanceIsAsBusyAsItsPlacesWere() {
        sender(2, "mill", senderFacts("4", "10 10", "3600000 3600000", "0 0")).heartbeat();

        assertThat(operations.look().instances())
                .filteredOn(process -> process.name().equals("mill"))
                .singleElement()
                .satisfies(mill -> assertThat(mill.busyPercent()).isEqualTo(25));
        assertThat(operations.look().instances())
                .filteredOn(process -> process.name().equals("front"))
                .singleElement()
                .satisfies(front -> assertThat(front.busyPercent()).isNull());
    }

    @Test
    void q2_callsAreSummedByOperationProjectedOnAMonthAndPriced() {
        sender(
                        2,
                        "mill",
                        Map.of(
                                "seconds", "3600",
                                "calls/queue/azuremailqueue/receive", "1000 5000",
                                "calls/table/message/query", "7 70",
                                "calls/table/work/query", "3 30"))
                .heartbeat();
        sender(3, "barn", Map.of("seconds", "1800", "calls/queue/azuremailqueue/receive", "500 500"))
                .heartbeat();
        time.advance(Duration.ofMinutes(1));

        Overview look = operations.look();

        assertThat(look.byOperation())
                .filteredOn(line -> line.store().equals("queue") && line.what().equals("receive"))
                .singleElement()
                .satisfies(receive -> {
                    assertThat(receive.lately()).isEqualTo(1500);
                    assertThat(receive.total()).isEqualTo(5500);
                    assertThat(receive.month()).isEqualTo(1_440_000);
                    assertThat(receive.cost()).isEqualByComparingTo("0.144");
                });
        assertThat(look.byName())
                .filteredOn(line -> line.what().equals("message"))
                .singleElement()
                .satisfies(message -> assertThat(message.total()).isEqualTo(70));
        assertThat(look.byName().get(0).what()).isEqualTo(QUEUE);
        assertThat(look.all().total()).isEqualTo(5600 + ownTotal(look));
    }

    @Test
    void theFirstMinutesAreNotTakenForAMonth() {
        time.advance(Duration.ofMinutes(9));
        web.heartbeat();
        assertThat(operations.look().all().month()).isNull();
        assertThat(operations.look().all().cost()).isNull();

        time.advance(Duration.ofMinutes(1));

        assertThat(operations.look().all().month()).isNotNull().isPositive();
    }

    @Test
    void a15_theModelsPollingCostsAHundredthOfWhatItSays() {
        assertThat(PollingCost.OF_THE_MODEL.polls()).isEqualTo(259_200);
        assertThat(PollingCost.OF_THE_MODEL.cost()).isCloseTo(new BigDecimal("0.26"), within(new BigDecimal("0.005")));
        assertThat(PollingCost.OF_THE_MODEL.cost().multiply(BigDecimal.valueOf(100)))
                .isEqualByComparingTo(PollingCost.CLAIM_OF_THE_MODEL);
    }

    @Test
    void lookingCostsTheSameHoweverMuchWaitsAndNothingForOthersWhoLook() {
        operations.look();
        later();
        long before = calls.total();
        assertThat(operations.look().ownCalls()).isEqualTo(5);
        assertThat(calls.total() - before).isEqualTo(5);

        send(100);
        IntStream.range(0, 30)
                .forEach(n -> deadLetters.add(DeadLetter.of(QUEUE, "i" + n, "text", "reason", time.instant(), 5)));
        later();
        before = calls.total();
        assertThat(operations.look().ownCalls()).isEqualTo(6);
        operations.look();
        assertThat(calls.total() - before).isEqualTo(6);
    }

    @Test
    void manyDeadLettersAreSaidToBeMore() {
        IntStream.range(0, Operations.DEAD_LETTERS + 1)
                .forEach(n -> deadLetters.add(DeadLetter.of(QUEUE, "i" + n, "text", "reason", time.instant(), 5)));

        assertThat(operations.look().deadLettersCut()).isTrue();
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

    private Instances sender(long seed, String name, Map<String, String> facts) {
        Instances sender = new Instances(storage, time, new SeededIds(seed), () -> Stream.of(() -> facts));
        sender.begin(new Birth(name, Set.of("sender"), Set.of(QUEUE), Set.of("trim", "sums"), ""));
        return sender;
    }

    private void send(int items) {
        storage.queues().createQueue(QUEUE);
        IntStream.range(0, items).forEach(n -> storage.queues().send(QUEUE, "item " + n));
    }

    private Overview.Queue queue(String name) {
        return operations.look().queues().stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void later() {
        time.advance(Operations.FRESH);
    }

    private static long ownTotal(Overview look) {
        return look.instances().stream()
                .filter(process -> process.name().equals("front"))
                .mapToLong(Overview.Process::calls)
                .sum();
    }
}
