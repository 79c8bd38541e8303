package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.run.Sheet;
import org.azuremail.work.run.SheetService;
import org.azuremail.work.run.Workshop;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.HeardSignals;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SwitchesTest {

    private final Workshop shop = new Workshop();
    private final InProcessSignals local = new InProcessSignals();
    private final MessageActivity activity = new MessageActivity(shop.time);
    private final WorkProperties settings = Settings.safetyPoll("15m");
    private final HeardSignals broadcasts = new HeardSignals();
    private final Switches switches = new Switches(shop.storage.storage(), broadcasts, local, shop.time);
    private final WorkerContext context =
            new WorkerContext(shop.runtime, settings, local, activity, switches, () -> false, false);

    private Switches ofAnotherProcess() {
        return new Switches(shop.storage.storage(), Signals.NONE, new InProcessSignals(), shop.time);
    }

    @Test
    @DisplayName("L-13, K22: the run under way ends, none begins, the queue keeps filling; a start works it off")
    void l13_aStoppedQueueEndsItsRunAndBeginsNone() {
        SheetService service = new SheetService((sheet, delivery) -> {
            switches.stop("sheets", "ann");
            return WorkResult.DONE;
        });
        QueueWorker worker = QueueWorker.of(context, List.of(service));
        shop.queues.put(new Sheet("first"));
        worker.loop().takeTurn(false);
        assertThat(service.begun).containsExactly("first");
        assertThat(shop.itemsLeft()).isZero();

        shop.queues.put(new Sheet("second"));
        shop.queues.put(new Sheet("third"));
        for (int turn = 0; turn < 10; turn++) {
            assertThat(worker.loop().takeTurn(true)).isEqualTo(SafetyPoll.NEVER);
        }
        assertThat(shop.itemsLeft()).isEqualTo(2);

        switches.start("sheets");
        assertThat(worker.loop().woken()).isTrue();
        worker.loop().takeTurn(true);
        assertThat(service.begun).contains("first", "second", "third").hasSize(3);
        // The handler stops the queue for each of the three items, and the test has started it once.
        assertThat(broadcasts.switches).hasValue(4);
    }

    @Test
    @DisplayName("L-13: long work under way is asked to end, and goes on after the start")
    void l13_longWorkUnderWayEndsSoon() {
        List<Boolean> asked = new ArrayList<>();
        SheetService service = new SheetService((sheet, delivery) -> {
            asked.add(delivery.stopping());
            if (asked.size() == 1) {
                switches.stop("sheets", "ann");
                asked.add(delivery.stopping());
            }
            return asked.size() == 2 ? new WorkResult.RetryAfter(Duration.ZERO) : WorkResult.DONE;
        });
        QueueWorker worker = QueueWorker.of(context, List.of(service));
        shop.queues.put(new Sheet("a long one"));
        worker.loop().takeTurn(false);
        worker.loop().takeTurn(true);
        assertThat(asked).containsExactly(false, true);
        assertThat(shop.itemsLeft()).isEqualTo(1);

        switches.start("sheets");
        worker.loop().takeTurn(true);
        assertThat(asked).containsExactly(false, true, false);
        assertThat(shop.itemsLeft()).isZero();
    }

    @Test
    @DisplayName("L-13: a throw of work that was asked to end counts as no failure")
    void l13_aHandlerThatThrowsBecauseItsQueueWasStoppedHasNotFailed() {
        SheetService service = new SheetService((sheet, delivery) -> {
            switches.stop("sheets", "ann");
            throw new IllegalStateException("ended in the middle");
        });
        QueueWorker worker = QueueWorker.of(context, List.of(service));
        shop.queues.put(new Sheet("a long one"));
        for (int stop = 0; stop < 7; stop++) {
            worker.loop().takeTurn(true);
            switches.start("sheets");
            shop.time.advance(Duration.ofMinutes(10));
        }
        assertThat(service.begun).hasSize(7);
        assertThat(shop.itemsLeft()).as("not a dead letter").isEqualTo(1);
    }

    @Test
    @DisplayName("L-13: a scheduled service that is stopped runs nowhere and gives its lease back")
    void l13_aStoppedServiceRunsNowhere() {
        int[] runs = {0};
        ScheduledService service = new ScheduledService() {
            @Override
            public String name() {
                return "chime";
            }

            @Override
            public Duration interval() {
                return Duration.ofMinutes(1);
            }

            @Override
            public void run() {
                runs[0]++;
            }
        };
        ScheduledWorker worker = ScheduledWorker.of(context, service);
        worker.loop().takeTurn(false);
        assertThat(runs[0]).isEqualTo(1);

        switches.stop("chime", "ann");
        assertThat(worker.loop().woken()).isTrue();
        worker.loop().takeTurn(true);
        shop.time.advance(Duration.ofMinutes(5));
        assertThat(worker.loop().takeTurn(true)).isEqualTo(SafetyPoll.NEVER);
        assertThat(runs[0]).isEqualTo(1);
        assertThat(shop.process(shop.time, Duration.ZERO, 5).leases().acquire("chime", Duration.ofMinutes(1)))
                .as("nobody holds it")
                .isPresent();
    }

    @Test
    void anotherProcessObeysOnceItHasHeard() {
        Switches other = ofAnotherProcess();
        assertThat(other.stopped("sheets")).isFalse();

        switches.stop("sheets", "ann");
        assertThat(other.stopped("sheets")).isFalse();
        other.refresh();
        assertThat(other.stopped("sheets")).isTrue();

        assertThat(ofAnotherProcess().stopped("sheets"))
                .as("one that starts later knows from the beginning")
                .isTrue();
    }

    @Test
    void thePersonAndTimeOfAStopAreKeptUntilTheStart() {
        switches.stop("sheets", "ann");
        shop.time.advance(Duration.ofMinutes(1));
        switches.stop("sheets", "bob");

        assertThat(switches.stops()).singleElement().satisfies(stop -> {
            assertThat(stop.by()).isEqualTo("ann");
            assertThat(stop.at()).isEqualTo(shop.time.instant().minusSeconds(60));
        });
        switches.start("sheets");
        switches.start("sheets");
        assertThat(switches.stops()).isEmpty();
    }

    @Test
    void lookingCostsNothing() {
        switches.stopped("sheets");
        shop.storage.resetCounters();

        for (int i = 0; i < 100; i++) {
            switches.stopped("sheets");
        }

        assertThat(shop.storage.calls()).isZero();
    }
}
