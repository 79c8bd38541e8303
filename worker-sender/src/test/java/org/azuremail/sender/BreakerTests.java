package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.route.Breaker;
import org.azuremail.storage.Versioned;
import org.junit.jupiter.api.Test;

/** Checks campaigns while the provider is down: senders stop using it, and few or no recipients suffer from it. */
class BreakerTests {

    private final SimulatedWorld world = new SimulatedWorld();
    private boolean down = true;

    @Test
    void twoUnknownLotsAreAllThatAProviderInTroubleGets() {
        MessageRef ref = message(41);
        world.transport.answer(
                (mail, attempt) -> down ? new Answer.Unknown(Reason.ofText("502")) : new Answer.Accepted("id"));

        world.process.turn();

        assertThat(world.transport.handOvers()).isEqualTo(2);
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .anySatisfy(note -> assertThat(note).asString().contains("recording is not used until", "502"));
        turns(30);
        int probes = world.transport.handOvers() - 2;
        assertThat(probes).as("after 10, 30, 70, 150 and 310 s").isBetween(3, 5);

        down = false;
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 41));
        long unknown = SimulatedWorld.count(world.outcomes(ref), Outcome.UNKNOWN);
        assertThat(unknown).isPositive().isLessThanOrEqualTo((2L + probes) * world.transport.lotSize());
        assertThat(world.transport.taken().values()).as("nobody twice").containsOnly(1);
    }

    @Test
    void aProviderThatSaysWhenIsNotAskedBeforeNotEvenAfterARestart() {
        MessageRef ref = message(25);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Kind.WAIT, Reason.ofText("429 too many requests"), Duration.ofMinutes(5), true)));
        world.process.turn();
        assertThat(world.transport.handOvers()).isOne();

        world.transport.unavailableWhenAsked(Optional.empty());
        world.restart();
        turns(29);
        assertThat(world.transport.handOvers()).isOne();
        assertThat(world.outcomes(ref)).isEmpty();

        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 25));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    void aProviderThatCannotBeReachedIsTriedByOneLotAtATimeAndChargesNobody() {
        MessageRef ref = message(41);
        world.transport.unavailableWhenAsked(
                Optional.of(new Unavailable(Kind.WAIT, Reason.ofText("no connection"), Duration.ofSeconds(5))));

        turns(60);

        assertThat(world.transport.handOvers()).as("calls in ten minutes").isBetween(4, 12);
        world.transport.unavailableWhenAsked(Optional.empty());
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 41));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void waitingRangesContinueAtOnceInAllProcessesWhenTheProviderIsRepaired() {
        MessageRef ref = message(41);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Kind.WAIT, Reason.ofText("429 too many requests"), Duration.ofMinutes(5), true)));
        world.process.turn();
        world.transport.unavailableWhenAsked(Optional.empty());

        page().close();
        world.process.drain(world.process.sender);
        assertThat(world.outcomes(ref)).as("closed, and nobody woken").isEmpty();
        world.process.waiting.resume();
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .isEmpty();
        world.process.drain(world.process.sender);

        assertThat(world.outcomes(ref)).hasSize(41).containsValue(Outcome.SENT).doesNotContainValue(Outcome.UNKNOWN);
        assertThat(world.transport.taken().values()).containsOnly(1);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 41));
    }

    @Test
    void aRangeWokenWhileTheReasonHoldsWaitsAgain() {
        MessageRef ref = message(41);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Kind.WAIT, Reason.ofText("429 too many requests"), Duration.ofMinutes(5), true)));
        world.process.turn();

        page().close();
        world.process.waiting.resume();
        world.process.turn();

        assertThat(world.transport.handOvers()).as("one more, and no more").isEqualTo(2);
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .isNotEmpty()
                .allSatisfy(note -> assertThat(note).asString().contains("429"));
    }

    @Test
    void pausedMessagesStillWaitWhenOthersAreWoken() {
        MessageRef ref = message(41);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Kind.WAIT, Reason.ofText("429 too many requests"), Duration.ofMinutes(5), true)));
        world.process.turn();
        world.process.control.pause(ref, Reason.NONE);

        world.process.waiting.resume();

        assertThat(world.process.receive(world.process.sender, 32)).isEmpty();
    }

    /** Returns the breaker as the web process sees it. */
    private Breaker page() {
        return new Breaker(world.storage.storage(), world.time, "recording", (unused, state) -> {});
    }

    @Test
    void mailsThatWaitForAProviderAreSkippedAtOnceWhenTheirMessageIsCancelled() {
        MessageRef ref = waiting();

        world.process.control.cancel(ref);
        assertThat(world.process.control.progress(world.find(ref)).waits()).isEmpty();
        world.process.turn();

        assertThat(world.outcomes(ref)).hasSize(25);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SKIPPED);
        assertThat(world.transport.handOvers()).isOne();
    }

    @Test
    void aCancellationThatBrokeOffIsGoneOnWithBeforeTheWaitIsOver() {
        MessageRef ref = waiting();
        Versioned<Message> read = world.process.messages.findActive(ref).orElseThrow();
        world.process.messageStore.replace(read, read.value().become(MessageStatus.CANCELLED));

        turns(9);

        assertThat(world.outcomes(ref)).hasSize(25);
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SKIPPED);
    }

    /** Returns a message whose provider asked for a retry in five minutes. */
    private MessageRef waiting() {
        MessageRef ref = message(25);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Kind.WAIT, Reason.ofText("429 too many requests"), Duration.ofMinutes(5), true)));
        world.process.turn();
        assertThat(world.outcomes(ref)).isEmpty();
        return ref;
    }

    private MessageRef message(int recipients) {
        ListName list = world.list("contoso1", recipients, 0);
        return world.message(list, OnUnknown.HOLD);
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }
}
