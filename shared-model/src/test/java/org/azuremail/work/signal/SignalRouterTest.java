package org.azuremail.work.signal;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SignalRouterTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time);
    private final Instances self = new Instances(storage.storage(), time, new SeededIds(9)::token, Stream::of);
    private final List<String> told = new ArrayList<>();
    private final Map<String, Signal.Answer> answers = new HashMap<>();
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SignalRouter router = new SignalRouter(
            self,
            (instance, address, signal) -> {
                String name = address.substring(0, address.indexOf(':'));
                told.add(name);
                return answers.getOrDefault(name, Signal.Answer.TAKEN);
            },
            threads::add,
            new Random(7),
            time,
            registry);

    @BeforeEach
    void processes() {
        born("web", Set.of(), Set.of());
        born("sender1", Set.of("mail"), Set.of());
        born("sender2", Set.of("mail"), Set.of());
        born("sender3", Set.of("mail"), Set.of());
        born("scheduler1", Set.of("fan-out"), Set.of("due"));
        born("scheduler2", Set.of("fan-out"), Set.of("due"));
        Instances deaf = new Instances(storage.storage(), time, new SeededIds(99)::token, Stream::of);
        deaf.register(new Registration("deaf", Set.of("sender"), Set.of("mail"), Set.of("due"), ""));
        deaf.heartbeat();
        self.register(new Registration("self", Set.of("web"), Set.of("mail"), Set.of("due"), "here:1"));
        self.heartbeat();
    }

    private void born(String name, Set<String> queues, Set<String> services) {
        Instances process = new Instances(storage.storage(), time, new SeededIds(name.hashCode())::token, Stream::of);
        process.register(new Registration(name, Set.of("any"), queues, services, name + ":1"));
        process.heartbeat();
    }

    private void send(Signal signal) {
        router.send(signal);
        work();
    }

    private void work() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    @Test
    @DisplayName("Q8: work goes to one random consumer, evenly, and never to this process or one that does not listen")
    void q8_workGoesToOneAtRandom() {
        for (int i = 0; i < 300; i++) {
            send(Signal.work("mail"));
        }

        Map<String, Long> shares =
                told.stream().collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        assertThat(told).hasSize(300);
        assertThat(shares.keySet()).containsExactly("sender1", "sender2", "sender3");
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(70L, 130L));
    }

    @Test
    @DisplayName("Q8: a stop goes to all")
    void q8_switchesGoToAll() {
        send(Signal.of(Signal.Kind.SWITCHES));

        assertThat(told).containsExactlyInAnyOrder("web", "sender1", "sender2", "sender3", "scheduler1", "scheduler2");
    }

    @Test
    void aSignalToAllReachesNobodyIfNobodyAnswers() {
        List.of("web", "sender1", "sender2", "sender3", "scheduler1", "scheduler2")
                .forEach(name -> answers.put(name, Signal.Answer.SILENT));
        send(Signal.of(Signal.Kind.SWITCHES));
        answers.remove("web");
        send(Signal.of(Signal.Kind.SWITCHES));

        assertThat(registry.counter("azuremail.work.signals", "kind", "switches", "reached", "false")
                        .count())
                .isOne();
        assertThat(registry.counter("azuremail.work.signals", "kind", "switches", "reached", "true")
                        .count())
                .isOne();
    }

    @Test
    void thatMessagesAreActiveGoesToAllWhoHandleItems() {
        send(Signal.messagesActive(Duration.ofSeconds(150)));

        assertThat(told).containsExactlyInAnyOrder("sender1", "sender2", "sender3", "scheduler1", "scheduler2");
    }

    @Test
    void aProcessThatDoesNotAnswerIsFollowedByAnotherAndPassedOverForAMinute() {
        answers.put("sender1", Signal.Answer.SILENT);
        answers.put("sender2", Signal.Answer.SILENT);
        send(Signal.work("mail"));
        send(Signal.work("mail"));
        assertThat(told).endsWith("sender3");

        told.clear();
        for (int i = 0; i < 20; i++) {
            send(Signal.work("mail"));
        }
        assertThat(told.stream()
                        .filter(name -> !name.equals("sender3"))
                        .distinct()
                        .toList())
                .as("each is tried once more at most, where it was not tried before")
                .hasSizeLessThanOrEqualTo(1);

        told.clear();
        answers.clear();
        time.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 50; i++) {
            send(Signal.work("mail"));
        }
        assertThat(told).contains("sender1", "sender2", "sender3");
    }

    @Test
    void whereNobodyAnswersTheSignalIsLostAndCounted() {
        answers.putAll(Map.of(
                "sender1", Signal.Answer.SILENT, "sender2", Signal.Answer.SILENT, "sender3", Signal.Answer.SILENT));

        send(Signal.work("mail"));
        send(Signal.work("nobody's"));

        assertThat(told).hasSize(3);
        assertThat(registry.counter("azuremail.work.signals", "kind", "work", "reached", "false")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void theServiceIsRunByWhoTookItLast() {
        answers.put("scheduler1", Signal.Answer.HEARD);
        send(Signal.run("due"));
        assertThat(told).endsWith("scheduler2");
        told.clear();

        for (int i = 0; i < 10; i++) {
            send(Signal.run("due"));
        }

        assertThat(told).hasSize(10).containsOnly("scheduler2");
    }

    @Test
    void whereNobodyRunsTheServiceAllHearOfIt() {
        answers.putAll(Map.of("scheduler1", Signal.Answer.HEARD, "scheduler2", Signal.Answer.HEARD));

        send(Signal.run("due"));

        assertThat(told).containsExactlyInAnyOrder("scheduler1", "scheduler2");
    }

    @Test
    void manySignalsAtOnceAreOne() {
        for (int i = 0; i < 1000; i++) {
            router.send(Signal.work("mail"));
            router.send(Signal.run("due"));
        }
        assertThat(threads).hasSize(2);

        work();

        assertThat(told).hasSize(2);
    }

    @Test
    void aSignalThatComesWhileAnEqualOneTravelsIsSentAsWell() {
        SignalRouter[] reentrant = new SignalRouter[1];
        List<String> sent = new ArrayList<>();
        reentrant[0] = new SignalRouter(
                self,
                (instance, address, signal) -> {
                    if (sent.isEmpty()) {
                        reentrant[0].send(signal);
                    }
                    sent.add(instance);
                    return Signal.Answer.TAKEN;
                },
                threads::add,
                new Random(1),
                time,
                registry);

        reentrant[0].send(Signal.work("mail"));
        work();

        assertThat(sent).hasSize(2);
    }

    @Test
    void signalsCostAtMostAQueryAMinute() {
        send(Signal.work("mail"));
        storage.resetCounters();

        for (int second = 0; second < 120; second++) {
            time.advance(Duration.ofSeconds(1));
            send(Signal.work("mail"));
        }

        assertThat(storage.calls()).isLessThanOrEqualTo(2);
    }
}
