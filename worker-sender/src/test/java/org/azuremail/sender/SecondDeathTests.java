package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.ProcessDied;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A sender dies in a hand-over, and so does the one that hands the lot over once more. */
@ExtendWith(OutputCaptureExtension.class)
class SecondDeathTests {

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    @DisplayName("I2: after the second death in a hand-over nobody of the lot is handed over a third time")
    void nobodyIsHandedOverAThirdTime() {
        MessageRef ref = world.message(world.list("contoso1", 1, 4, 0), OnUnknown.RESEND);
        diesInAHandOver();
        diesInAHandOver();

        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(4);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.UNKNOWN);
        assertThat(world.transport.taken().values()).containsOnly(2);
    }

    @Test
    void aLotThatIsLeftInDoubtIsAWarning(CapturedOutput output) {
        MessageRef ref = world.message(world.list("contoso1", 1, 4, 0), OnUnknown.RESEND);
        diesInAHandOver();
        diesInAHandOver();

        world.runToEnd();

        assertThat(output.toString().lines().filter(line -> line.contains("may or may not have gone out")))
                .satisfiesExactly(
                        first -> assertThat(first)
                                .contains("WARN", "Message " + ref, ": 0 mails may", "4 are handed over once more"),
                        second -> assertThat(second).contains("WARN", ": 4 mails may", "0 are handed over once more"));
    }

    private void diesInAHandOver() {
        world.transport.afterHandOver(() -> {
            throw new ProcessDied();
        });
        assertThatThrownBy(world.process::turn).isInstanceOf(ProcessDied.class);
        world.transport.afterHandOver(() -> {});
        world.time.advance(Duration.ofMinutes(2));
        world.restart();
    }
}
