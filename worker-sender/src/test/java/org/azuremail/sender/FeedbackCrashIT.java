package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.MessageRef;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that the result is the same when events arrive in any order, arrive twice, or are handled by several processes
 * or by one that dies.
 */
class FeedbackCrashIT extends OnFeedback {

    @Test
    void eventsInAnyOrderAndTwiceEndAlike() {
        list();
        Set<String> ends = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            world = new SimulatedWorld();
            list();
            MessageRef ref = begin();
            world.runToEnd();
            List<MailEvent> events = new ArrayList<>(allEvents());
            events.addAll(events);
            Collections.shuffle(events, new Random(seed));
            int cut = 1 + seed % events.size();
            world.process.recorder.record(events.subList(0, cut));
            world.process.recorder.record(events.subList(cut, events.size()));
            ends.add(end(ref));
        }
        assertThat(ends).hasSize(1);
    }

    @Test
    void processesThatTakeTheSameEventsAtOnceEndAlike() throws Exception {
        for (int seed = 0; seed < 5; seed++) {
            world = new SimulatedWorld();
            list();
            MessageRef ref = begin();
            world.runToEnd();
            List<Callable<Integer>> takers = new ArrayList<>();
            for (int taker = 0; taker < 4; taker++) {
                List<MailEvent> events = new ArrayList<>(allEvents());
                Collections.shuffle(events, new Random(10L * seed + taker));
                takers.add(() -> world.process.recorder.record(events));
            }
            ExecutorService threads = Executors.newFixedThreadPool(takers.size());
            for (Future<Integer> taken : threads.invokeAll(takers)) {
                assertThat(taken.get()).isEqualTo(allEvents().size());
            }
            threads.shutdown();
            assertThat(counts(ref))
                    .isEqualTo(new OutcomeCounts(10, 0, 0, 2, 2, 1))
                    .isEqualTo(archived(ref));
            assertThat(world.find(ref).result().counts()).isEqualTo(counts(ref));
        }
    }

    private List<MailEvent> allEvents() {
        return List.of(
                event(0, null, 0),
                event(1, Kind.HARD_BOUNCE, 1),
                event(1, Kind.SOFT_BOUNCE, 2),
                event(7, Kind.COMPLAINT, 2),
                event(7, Kind.COMPLAINT, 1),
                event(7, null, 0),
                event(9, Kind.SOFT_BOUNCE, 3));
    }

    private String end(MessageRef ref) {
        List<String> feedback = new ArrayList<>();
        for (int i = 0; i < RECIPIENTS; i++) {
            RecordedOutcome recorded = world.process
                    .search
                    .search(world.find(ref), new EmailAddress(address(i)))
                    .recorded()
                    .orElseThrow();
            feedback.add(recorded.outcome() + " " + recorded.feedback() + " " + why(i));
        }
        return counts(ref) + " " + feedback;
    }

    /**
     * A process dies at each storage call. The counts follow the archive, and repeated events do not change the result.
     */
    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void everyStorageCallOfTakingEventsMayGoWrongOnce(Faults.Mode mode) {
        String expected = end(taken(Faults.none()));
        assertThat(expected)
                .startsWith(new OutcomeCounts(10, 0, 0, 2, 2, 1).toString())
                .contains("SUPPRESSED_BOUNCE");
        boolean struck = true;
        for (int at = 1; struck; at++) {
            Faults faults = new Faults(mode, at, () -> {});
            MessageRef ref = taken(faults);
            struck = faults.calls() >= at;
            world.restart();
            world.process.look();
            world.process.look();
            assertThat(counts(ref)).as(mode + " at call " + at).isEqualTo(archived(ref));
            assertThat(world.find(ref).result().counts()).isEqualTo(counts(ref));
            world.process.recorder.record(allEvents());
            assertThat(end(ref)).as(mode + " at call " + at).isEqualTo(expected);
            assertThat(world.find(ref).result().counts()).isEqualTo(counts(ref));
        }
    }

    private MessageRef taken(Faults faults) {
        world = new SimulatedWorld();
        list();
        MessageRef ref = begin();
        world.runToEnd();
        List<MailEvent> events = allEvents();
        try {
            world.restart(faults).recorder.record(events);
        } catch (ProcessDied | StorageException gone) {
            return ref;
        }
        return ref;
    }

    private OutcomeCounts archived(MessageRef ref) {
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (RecordedOutcome recorded :
                world.process.control.outcomes(world.find(ref), 100, null).items()) {
            counts = recorded.addTo(counts);
        }
        return counts;
    }
}
