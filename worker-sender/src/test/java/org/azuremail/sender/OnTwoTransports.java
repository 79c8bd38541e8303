package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;

/** A campaign with two transports, the second of which replaces the first when it fails. */
abstract class OnTwoTransports {

    static final int RECIPIENTS = 41;

    SimulatedWorld world;
    RecordingTransport first;
    RecordingTransport second;
    ListName list;
    MessageRef ref;

    void campaign(OnUnknown onUnknown) {
        world = new SimulatedWorld();
        first = world.transport;
        second = new RecordingTransport("stand-in", 3);
        world.second = second;
        world.restart();
        list = world.list("contoso1", RECIPIENTS, 0);
        ref = world.message(list, onUnknown);
    }

    void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }

    /**
     * Checks I1 to I3: each recipient has one outcome, and each that is Sent was accepted once, by one of the two
     * transports.
     */
    void assertEverybodySentOnce() {
        world.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        Map<String, Integer> taken = new TreeMap<>(first.taken());
        second.taken().forEach((mail, times) -> taken.merge(mail, times, Integer::sum));
        assertThat(taken).hasSize(RECIPIENTS).allSatisfy((mail, times) -> assertThat(times)
                .isOne());
    }
}
