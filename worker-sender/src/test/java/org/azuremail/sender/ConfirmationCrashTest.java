package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks confirmations whose server is slow, whose sender dies, or whose storage fails at any call. */
class ConfirmationCrashTest {

    private ConfirmationWorld world = new ConfirmationWorld();

    @Test
    void aServerThatAnswersAfterTenMinutesGetsTheMailOnceWhoeverElseLooksMeanwhile() {
        world.subscribeBob();
        world.transport.script.add(() -> afterTenMinutes(() -> {
            world.drain();
            world.requeue();
        }));

        world.drain();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
        assertThat(world.bob().bookkeeping().chore()).isNull();
    }

    /** The claim ends whatever the clock showed at the death, because an operator may have corrected it since. */
    @ParameterizedTest
    @ValueSource(ints = {0, -6, 6})
    void aSenderThatDiesWhileItWaitsForTheServerLeavesAClaimThatEnds(int hours) {
        world.subscribeBob();
        world.transport.script.add(() -> {
            afterTenMinutes(() -> {});
            throw new ProcessDied();
        });
        assertThatThrownBy(world::drain).isInstanceOf(ProcessDied.class);
        world.time.shiftWallClock(Duration.ofHours(hours));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
    }

    /**
     * Accepts the email after ten minutes, and asks the guard every second as a transport does that waits for an
     * answer.
     */
    private HandOverResult afterTenMinutes(Runnable meanwhile) {
        for (int second = 0; second < 600; second++) {
            world.time.advance(Duration.ofSeconds(1));
            world.transport.asked.mayContinue();
            meanwhile.run();
        }
        return HandOverResult.same(1, new Answer.Accepted("id"));
    }

    /**
     * Every storage call of one hand-over to a server that needs ten minutes goes wrong, in five ways: the email is
     * sent once or twice, and nothing waits forever.
     */
    @ParameterizedTest
    @EnumSource(Faults.Mode.class)
    void defect19_noFaultAtAnyStorageCallLosesAConfirmation(Faults.Mode mode) {
        boolean happened = true;
        for (long at = 1; happened; at++) {
            world = new ConfirmationWorld();
            Faults faults = new Faults(mode, at, () -> {});
            Storage faulty = faults.around(world.simulated.storage());
            world.restart(faulty);
            world.transport.script.add(() -> afterTenMinutes(() -> {}));
            joinAndSend();
            world.transport.script.clear();
            happened = faults.calls() >= at;
            world.restart(world.simulated.storage());
            if (!world.knowsBob()) {
                world.subscribeBob();
            }
            world.tenMinutes();

            String where = mode + " at call " + at;
            assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT))
                    .as(where)
                    .isPresent();
            assertThat(world.bob().bookkeeping().chore()).as(where).isNull();
            assertThat(world.transport.taken).as(where).hasSizeBetween(1, 2);
        }
    }

    private void joinAndSend() {
        try {
            world.subscribeBob();
            world.handle(new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST));
        } catch (ProcessDied | StorageException expected) {
            assertThat(expected).isNotNull();
        }
    }
}
