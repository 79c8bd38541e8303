package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks a sender that dies in a hand-over, followed by another that dies when it hands the lot over again. */
@ExtendWith(OutputCaptureExtension.class)
class SecondDeathTests {

    private SimulatedWorld world = new SimulatedWorld();

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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @DisplayName(
            "I2: nor when somebody touches the range before any write of the one that hands the lot over once more")
    void aRangeThatIsTouchedMeanwhileStaysInDoubt(int before) {
        MessageRef ref = world.message(world.list("contoso1", 1, 4, 0), OnUnknown.RESEND);
        diesInAHandOver();
        world.storage.hook(touchingOnce(ref, before));
        diesInAHandOver();

        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(4);
        assertThat(world.transport.taken().values()).containsOnly(2);
    }

    private CallHook touchingOnce(MessageRef ref, int before) {
        return new CallHook() {
            private int writes;

            @Override
            public void before(Call call) {
                if (call.description().startsWith("Replace !range") && ++writes == before) {
                    world.process.rewriter.touchAll(world.find(ref));
                }
            }
        };
    }

    @Test
    @DisplayName("I2: a lot that is handed over once more carries nobody else, whom a death would not leave in doubt")
    void aLotThatIsHandedOverOnceMoreCarriesNobodyElse() {
        MessageRef ref = world.message(world.list("contoso1", 1, 5, 0), OnUnknown.RESEND);
        world.transport.answer((mail, attempt) -> mail.to().address().value().startsWith("v00") && attempt == 1
                ? new Answer.Unknown(Reason.ofText("502"))
                : new Answer.Accepted("id"));
        diesInTheSecondHandOver();

        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(5).containsEntry("v00@contoso1.test", Outcome.UNKNOWN);
        assertThat(world.transport.attempts(ref, "v00@contoso1.test")).isEqualTo(2);
        assertThat(world.transport.attempts(ref, "v04@contoso1.test")).isEqualTo(1);
    }

    @Test
    @DisplayName("After a death in a hand-over nobody is in doubt whose list was not being handed over")
    void recipientsOfOtherListsBetweenThoseOfALotAreNotInDoubt() {
        MessageRef ref = toTwoLists(OnUnknown.HOLD);
        diesInAHandOver();

        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(6).allSatisfy((address, outcome) -> assertThat(outcome)
                .isEqualTo(address.matches("v0[024].*") ? Outcome.UNKNOWN : Outcome.SENT));
        assertThat(world.transport.taken().values()).hasSize(6).containsOnly(1);
    }

    @Test
    @DisplayName("I2: of a whole range in doubt, the second list too is handed over once more and never again")
    void recipientsOfASecondListAreNotHandedOverAThirdTime() {
        MessageRef ref = toTwoLists(OnUnknown.RESEND);
        world.process.look();
        world.process.drain(world.process.fanOut);
        world.storage.hook(CallHook.NONE);
        SimulatedStorage backup = world.storage.copy();
        world.runToEnd();
        restore(backup);
        world.process.control.resume(ref);
        diesInTheSecondHandOver();

        world.runToEnd();

        assertThat(world.outcomes(ref)).hasSize(6);
        assertThat(world.transport.taken().values()).hasSize(6).containsOnly(2);
    }

    private void restore(SimulatedStorage backup) {
        Instant madeAt = world.time.instant();
        world.time.advance(Duration.ofMinutes(1));
        world = world.with(backup);
        world.process.restoreGuard(new RestoreMark(Optional.of(madeAt))).afterSingletonsInstantiated();
    }

    /** Creates a message to two lists, whose addresses alternate in one range. */
    private MessageRef toTwoLists(OnUnknown onUnknown) {
        List<ListName> lists = List.of(world.list("even", 1, 0, 0), world.list("odd", 1, 0, 0));
        for (int i = 0; i < 6; i++) {
            world.subscriber(lists.get(i % 2), "v0%d@both.test".formatted(i), true);
        }
        return world.message(Audience.of(lists), onUnknown, world.time.instant());
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

    private void diesInTheSecondHandOver() {
        dies(end -> world.transport.afterHandOver(() -> world.transport.afterHandOver(end)));
    }

    private void diesInAHandOver() {
        dies(world.transport::afterHandOver);
    }

    private void dies(Consumer<Runnable> when) {
        when.accept(() -> {
            throw new ProcessDied();
        });
        assertThatThrownBy(world.process::turn).isInstanceOf(ProcessDied.class);
        world.transport.afterHandOver(() -> {});
        world.time.advance(Duration.ofMinutes(2));
        world.restart();
    }
}
