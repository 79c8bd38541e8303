package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.Signal.Answer;
import org.junit.jupiter.api.Test;

/** Checks that a process decides whether it receives signals, among processes that answer and some that were killed. */
class SignalCheckTest {

    private static final Duration GREET_EVERY = Duration.ofSeconds(5);

    private final ManualTime time = new ManualTime();
    private final Storage storage = new SimulatedStorage(time).storage();
    private final IdSource ids = new SeededIds(1);
    private final Set<String> killed = new HashSet<>();
    private final Instances self = process("mill");
    private final SignalCheck signalCheck =
            new SignalCheck(() -> self, this::greet, new InProcessSignals(), GREET_EVERY, new Random(1), time);

    private Instances process(String name) {
        Instances process = new Instances(storage, time, ids::token, Stream::empty);
        process.register(new Instances.Registration(name, Set.of("sender"), Set.of(), Set.of(), name + ":1"));
        process.heartbeat();
        return process;
    }

    private Answer greet(String instance, String address, Signal greeting) {
        if (killed.contains(address.substring(0, address.indexOf(':')))) {
            return Answer.SILENT;
        }
        signalCheck.recordReply(instance);
        return Answer.HEARD;
    }

    /** According to their rows, the killed processes live for twelve more minutes. */
    @Test
    void processesThatWereKilledAreGreetedLast() {
        for (int number = 0; number < 12; number++) {
            process("killed" + number);
            killed.add("killed" + number);
        }
        process("alive");
        self.markStale();

        signalCheck.runOnce(true);
        int inVain = 0;
        for (int turn = 0; turn < 200; turn++) {
            time.advance(GREET_EVERY);
            signalCheck.runOnce(false);
            inVain += signalCheck.mustPoll() ? 1 : 0;
        }

        assertThat(inVain).as("turns before every killed one was met").isLessThanOrEqualTo(6);
        assertThat(signalCheck.deaf()).isFalse();
    }

    @Test
    void aProcessThatIsAliveAgainIsGreetedAgain() {
        process("mute");
        killed.add("mute");
        self.markStale();
        signalCheck.runOnce(true);
        time.advance(GREET_EVERY);
        signalCheck.runOnce(false);
        assertThat(signalCheck.mustPoll()).isTrue();

        killed.clear();
        for (int turn = 0; turn < 4; turn++) {
            time.advance(GREET_EVERY);
            signalCheck.runOnce(false);
        }

        assertThat(signalCheck.mustPoll()).isFalse();
    }
}
