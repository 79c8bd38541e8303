package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.junit.jupiter.api.Test;

/** Checks a subscriber who changes while their confirmation is being sent, so that the sender's data is outdated. */
class ConfirmationRaceTest {

    private final ConfirmationWorld world = new ConfirmationWorld();
    private boolean gone;

    private void leaveOnce() {
        if (!gone) {
            gone = true;
            world.feature
                    .subscriptions()
                    .leave(ConfirmationWorld.LIST, world.bob().guid(), Origin.api("partner", "203.0.113.7"));
        }
    }

    @Test
    void aSubscriberWhoLeavesBeforeTheClaimIsWrittenGetsNoMail() {
        world.subscribeBob();
        ConfirmationItem item = new ConfirmationItem(world.bob().guid(), ConfirmationWorld.LIST);
        world.simulated.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.kind() == Call.Kind.WRITE) {
                    leaveOnce();
                }
            }
        });

        world.handle(item);

        assertThat(gone).isTrue();
        assertThat(world.transport.taken).isEmpty();
        assertThat(world.bob().state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
    }

    @Test
    void aSubscriberWhoLeavesDuringTheHandOverStaysAwayAndTheProofShowsTheMail() {
        world.subscribeBob();
        world.transport.script.add(() -> {
            leaveOnce();
            return HandOverResult.same(1, new Answer.Accepted("id"));
        });

        world.drain();

        assertThat(world.bob().state()).isEqualTo(SubscriberState.UNSUBSCRIBED);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
    }
}
