package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.work.queue.DeadLetter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Checks a message whose provider gives other answers than acceptance. */
class ProviderAnswerTests {

    private static final String BAD = "v02@contoso1.test";

    private final SimulatedWorld world = new SimulatedWorld();

    @Test
    void aRefusedMailFailsWithItsReasonAndTheOthersGoOut() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD)
                ? new Answer.Refused("550 no such user")
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref)).containsEntry(BAD, Outcome.FAILED);
        assertThat(world.detail(ref, BAD)).isEqualTo("550 no such user");
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(6);
    }

    /** No storage accepts half a surrogate pair, so the lot would be handed over and never recorded. */
    @ParameterizedTest
    @ValueSource(ints = {900, 990, 991, 992, 993, 994, 999, 1000})
    void i1_wordsOfAnyLengthInAnyScriptAreRecorded(int letters) {
        MessageRef ref = message(7, OnUnknown.HOLD);
        String words = "x".repeat(letters) + "\uD83D\uDE00".repeat(99);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD)
                ? new Answer.Refused(words + "\uD83D half")
                : new Answer.Accepted(words));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref)).containsEntry(BAD, Outcome.FAILED);
        assertThat(world.detail(ref, BAD)).startsWith("xxx");
        assertThat(world.process.thrown).isEmpty();
    }

    @Test
    void aMailThatIsToBeTriedLaterIsTriedLater() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD) && attempt < 3
                ? new Answer.RetryAfter(Duration.ofSeconds(40), "451 greylisted")
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.attempts(ref, BAD)).isEqualTo(3);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    @DisplayName("A provider that asks for a minute is given one, then two, four and eight")
    void theWaitDoublesWithEachTry() {
        message(1, OnUnknown.HOLD);
        List<Instant> tries = new ArrayList<>();
        world.transport.answer((mail, attempt) -> {
            tries.add(world.time.instant());
            return new Answer.RetryAfter(Duration.ofMinutes(1), "451 greylisted");
        });

        world.runToEnd();

        assertThat(tries).hasSize(5);
        for (int i = 0; i < 4; i++) {
            Duration asked = Duration.ofMinutes(1L << i);
            assertThat(Duration.between(tries.get(i), tries.get(i + 1))).isBetween(asked, asked.plusMinutes(2));
        }
    }

    @Test
    @DisplayName("A lot does not reach over somebody who waits: when its sender dies they are not in doubt")
    void aRecipientWhoWaitsBetweenTwoOthersIsNotInTheirLot() {
        MessageRef ref = world.message(world.list("contoso1", 1, 3, 0), OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            boolean middle = mail.to().address().value().startsWith("v01");
            Duration wait = middle ? Duration.ofMinutes(5) : Duration.ofSeconds(20);
            return attempt == 1 ? new Answer.RetryAfter(wait, "451 greylisted") : new Answer.Accepted("id");
        });
        world.process.turn();
        world.time.advance(Duration.ofSeconds(30));
        world.transport.afterHandOver(() -> {
            throw new ProcessDied();
        });
        assertThatThrownBy(world.process::turn).isInstanceOf(ProcessDied.class);
        world.transport.afterHandOver(() -> {});

        world.restart();
        world.runToEnd();

        assertThat(world.outcomes(ref))
                .containsEntry("v00@contoso1.test", Outcome.UNKNOWN)
                .containsEntry("v01@contoso1.test", Outcome.SENT)
                .containsEntry("v02@contoso1.test", Outcome.SENT);
    }

    @Test
    void aMailThatIsAlwaysToBeTriedLaterFailsAfterFiveTries() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD)
                ? new Answer.RetryAfter(Duration.ofSeconds(40), "451 mailbox full")
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.transport.attempts(ref, BAD)).isEqualTo(5);
        assertThat(world.outcomes(ref)).containsEntry(BAD, Outcome.FAILED);
        assertThat(world.detail(ref, BAD)).isEqualTo("451 mailbox full");
    }

    @Test
    void aMailOfUnknownFateIsHeldUnknownUnderHold() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD)
                ? new Answer.Unknown(Reason.ofText("502"))
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref)).containsEntry(BAD, Outcome.UNKNOWN);
        assertThat(world.transport.attempts(ref, BAD)).isOne();
    }

    @Test
    void aMailOfUnknownFateGoesOnceMoreUnderResendAndNoThirdTime() {
        MessageRef ref = message(7, OnUnknown.RESEND);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD)
                ? new Answer.Unknown(Reason.ofText("502"))
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.transport.attempts(ref, BAD)).isEqualTo(2);
        assertThat(world.outcomes(ref)).containsEntry(BAD, Outcome.UNKNOWN);
        assertThat(world.transport.taken().entrySet())
                .filteredOn(entry -> !entry.getKey().endsWith(BAD))
                .allSatisfy(entry -> assertThat(entry.getValue()).isOne());
    }

    @Test
    void aSecondTryUnderResendThatIsAcceptedCountsAsSent() {
        MessageRef ref = message(7, OnUnknown.RESEND);
        world.transport.answer((mail, attempt) -> mail.to().address().value().equals(BAD) && attempt == 1
                ? new Answer.Unknown(Reason.ofText("502"))
                : new Answer.Accepted("id"));

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void e25_wrongCredentialsPauseTheMessageWithTheReasonAndBurnNobody(CapturedOutput log) {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.unavailable(Optional.of(new Unavailable(
                Unavailable.Kind.PAUSE,
                Reason.ofText("535 authentication failed: check the password"),
                Duration.ofSeconds(30))));

        turns(20);

        Message paused = world.find(ref);
        assertThat(paused.paused()).isTrue();
        assertThat(paused.state().pauseReason()).asString().contains("535");
        assertThat(log).containsOnlyOnce("message " + ref + " is paused: ");
        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(world.transport.handOvers()).isZero();

        world.transport.unavailable(Optional.empty());
        world.time.advance(Duration.ofMinutes(1));
        assertThat(world.process.control.resume(ref)).isTrue();
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void e25_credentialsRefusedAtTheHandOverPauseTheMessageAndBurnNobody() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.unavailableWhenAsked(Optional.of(
                new Unavailable(Unavailable.Kind.PAUSE, Reason.ofText("401 check the API key"), Duration.ofHours(1))));

        turns(20);

        Message paused = world.find(ref);
        assertThat(paused.paused()).isTrue();
        assertThat(paused.state().pauseReason()).asString().contains("401");
        assertThat(world.outcomes(ref)).isEmpty();
        assertThat(world.transport.handOvers()).isOne();

        world.transport.unavailableWhenAsked(Optional.empty());
        assertThat(world.process.control.resume(ref)).isTrue();
        world.process.drain(world.process.sender);
        assertThat(world.transport.handOvers()).as("resumed at once").isGreaterThan(1);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
    }

    @Test
    void aProviderThatIsDownIsWaitedForAndChargesNobody() {
        MessageRef ref = message(7, OnUnknown.HOLD);
        world.transport.unavailable(Optional.of(
                new Unavailable(Unavailable.Kind.WAIT, Reason.ofText("503 try later"), Duration.ofSeconds(50))));

        turns(60);
        assertThat(world.find(ref).paused()).isFalse();
        assertThat(world.process.control.progress(world.find(ref)).waitReasons())
                .isNotEmpty()
                .allSatisfy(note -> assertThat(note).asString().endsWith("503 try later"));

        world.transport.unavailable(Optional.empty());
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 7));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.deadLetters()).isEmpty();
    }

    @Test
    void e11_defect2_aMailThatCannotBeMadeBecomesOneDeadLetterAndTheOthersFlow() {
        MessageRef ref = message(13, OnUnknown.HOLD);
        world.process.poisoned.add(BAD);

        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 13));
        assertThat(world.find(ref).result().counts().failed()).isOne();
        assertThat(world.find(ref).result().counts().sent()).isEqualTo(12);
        assertThat(world.deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.text()).contains(BAD);
            assertThat(letter.reason()).asString().contains("poison");
        });
    }

    @Test
    void e11_aRestoredDeadLetterIsSent() {
        MessageRef ref = message(13, OnUnknown.HOLD);
        world.process.poisoned.add(BAD);
        world.runToEnd();
        DeadLetter letter = world.deadLetters().get(0);

        world.process.poisoned.clear();
        assertThat(world.process.deadLetters.restore(letter.id(), queue -> queue))
                .isTrue();
        world.process.drain(world.process.sender);
        world.runToEnd();

        world.assertAccounted(ref, verified("contoso1", 13));
        assertThat(world.outcomes(ref).values()).containsOnly(Outcome.SENT);
        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.deadLetters()).isEmpty();
    }

    @Test
    void e11_aDeadLetterOfAClassThatWasRemovedIsSentWithTheDefaultClass() {
        world.classes = ClassSettings.classes("order=High,Normal,Low,Bulk");
        world.restart();
        ListName list = world.list("bulk", 13, 0);
        MessageRef ref = world.message(Audience.of(list), OnUnknown.HOLD, world.time.instant(), "Bulk");
        world.process.poisoned.add("v07@bulk.test");
        world.runToEnd();
        DeadLetter letter = world.deadLetters().get(0);
        assertThat(letter.queue()).isEqualTo("azuremailqueue-bulk");

        world.classes = ClassSettings.classes();
        world.restart();
        world.process.deadLetters.restore(
                letter.id(), new RangeQueues(world.process.deadLetters.queues(), world.classes)::effectiveQueue);
        world.process.drain(world.process.sender);
        world.runToEnd();

        assertThat(world.find(ref).result().counts().sent()).isEqualTo(13);
        assertThat(world.transport.taken().values()).containsOnly(1);
    }

    @Test
    void aStrayAddressItemSendsNothing() {
        MessageRef ref = message(3, OnUnknown.HOLD);
        world.runToEnd();
        String text = world.find(ref).datePartition() + "," + ref + ",v01@contoso1.test,1";

        world.storage.queues().send("azuremailqueue", text);
        world.process.drain(world.process.sender);
        world.runToEnd();

        assertThat(world.transport.taken().values()).containsOnly(1);
        assertThat(world.storage.queues().approximateCount("azuremailqueue")).isZero();
    }

    private MessageRef message(int recipients, OnUnknown onUnknown) {
        ListName list = world.list("contoso1", recipients, 1);
        return world.message(list, onUnknown);
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }
}
