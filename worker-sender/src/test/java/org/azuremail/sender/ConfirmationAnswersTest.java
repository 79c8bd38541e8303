package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.subscription.subscriber.Declaration.Kind;
import org.azuremail.subscription.subscriber.Subscriber;
import org.junit.jupiter.api.Test;

/** Checks the outcome of a confirmation for each answer of the transport. */
class ConfirmationAnswersTest {

    private ConfirmationWorld world = new ConfirmationWorld();

    @Test
    void whileTheTransportIsAwayNobodyIsChargedAndTheMailGoesLater() {
        world.subscribeBob();
        world.transport.unavailable = Optional.of(
                new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("no connection"), Duration.ofSeconds(40)));
        world.tenMinutes();
        assertThat(world.transport.taken).isEmpty();
        Subscriber waiting = world.bob();

        world.transport.unavailable = Optional.empty();
        world.tenMinutes();

        assertThat(waiting.bookkeeping().claim()).isNull();
        assertThat(world.transport.taken).hasSize(1);
    }

    @Test
    void aRetryLaterIsNoDoubt() {
        world.subscribeBob();
        for (int i = 0; i < 4; i++) {
            world.transport.next(new Answer.RetryAfter(Duration.ofSeconds(20), "greylisted"));
        }

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(5);
        assertThat(world.bob().consent().latest(Kind.CONFIRMATION_SENT)).isPresent();
    }

    @Test
    void anAnswerPutOffForeverIsGivenUpAfterADay() {
        world.subscribeBob();
        for (int i = 0; i < 200; i++) {
            world.transport.next(
                    new Answer.RetryAfter(Duration.ofMinutes(1), Reason.ofText("451 greylisted"), i % 2 == 0));
        }

        for (int i = 0; i < 6 * 26; i++) {
            world.tenMinutes();
        }

        assertThat(world.transport.taken).as("calls in a day").hasSizeBetween(10, 40);
        assertFailed("451 greylisted");
    }

    /** A service that was switched off for months must not send links that only lead to a page with an excuse. */
    @Test
    void aConfirmationWhoseLinkHasExpiredIsNotSent() {
        world.subscribeBob();
        world.time.advance(Duration.ofDays(90));

        world.tenMinutes();

        assertThat(world.transport.taken).isEmpty();
        assertFailed("the email waited to be sent until its link no longer worked");

        world.subscribeBob();
        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
    }

    private void assertFailed(String reason) {
        assertThat(world.bob()
                        .consent()
                        .latest(Kind.CONFIRMATION_FAILED)
                        .orElseThrow()
                        .detailText())
                .isEqualTo(reason);
    }

    @Test
    void aRefusalEndsItWithItsReason() {
        world.subscribeBob();
        world.transport.next(new Answer.Refused("no such mailbox"));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertFailed("no such mailbox");
    }

    /** A message would be paused instead. */
    @Test
    void aConfirmationThatIsTooLargeFails() {
        Reason large = Reason.ofText("552 5.3.4 too large");
        world.subscribeBob();
        world.transport.script.add(() -> new HandOverResult(
                List.of(new Answer.RetryAfter(Duration.ofMinutes(1), large, true)),
                Optional.of(new Unavailable(Unavailable.Kind.MESSAGE, large, Duration.ofMinutes(5)))));

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(1);
        assertFailed("552 5.3.4 too large");
    }

    @Test
    void inDoubtItIsSentOnceMoreAndNotAThirdTime() {
        world.subscribeBob();
        world.transport.next(new Answer.Unknown(Reason.ofText("connection broke")));
        world.transport.script.add(() -> {
            throw new IllegalStateException("the transport broke");
        });

        world.tenMinutes();

        assertThat(world.transport.taken).hasSize(2);
        assertThat(world.transport.taken)
                .extracting(lot -> lot.mails().get(0).messageId())
                .containsOnly(world.transport.taken.get(0).mails().get(0).messageId());
        assertThat(world.bob()
                        .consent()
                        .latest(Kind.CONFIRMATION_FAILED)
                        .orElseThrow()
                        .reason())
                .isEqualTo(
                        Reason.of(ReasonCode.IN_DOUBT, Reason.of(ReasonCode.TRANSPORT_BROKE, "IllegalStateException")));
    }
}
