package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.WakeUp;
import org.junit.jupiter.api.Test;

class SignalInboxTest {

    private final ManualTime time = new ManualTime();
    private final Storage storage = new SimulatedStorage(time).storage();
    private final AtomicInteger forgotten = new AtomicInteger();

    /** A process that has just started may run a newer version, which has upgraded the storage. */
    @Test
    void theStorageIsAskedForItsFormatAgainWhenAProcessStarts() {
        SignalInbox inbox = inbox();

        inbox.receive(Signal.of(Signal.Kind.SWITCHES));
        assertThat(forgotten).hasValue(0);

        assertThat(inbox.receive(Signal.of(Signal.Kind.INSTANCES))).isEqualTo(Signal.Answer.HEARD);
        assertThat(forgotten).hasValue(1);
    }

    private SignalInbox inbox() {
        InProcessSignals local = new InProcessSignals();
        Instances instances = new Instances(storage, time, new SeededIds(1)::token, Stream::empty);
        SignalCheck signalCheck = new SignalCheck(
                () -> instances,
                (instance, address, signal) -> Signal.Answer.SILENT,
                local,
                Duration.ofMinutes(1),
                new Random(1),
                time);
        StoreGate gate = new StoreGate() {
            @Override
            public boolean isOpen(Duration atMostOld) {
                return true;
            }

            @Override
            public void forget() {
                forgotten.incrementAndGet();
            }
        };
        return new SignalInbox(
                local,
                new MessageActivity(time),
                instances,
                new WakeUp(),
                signalCheck,
                new SignalConfiguration.RemoteSignals(elsewhere -> {}, (greeter, address) -> {}),
                InlineWork.queues(storage),
                gate);
    }
}
