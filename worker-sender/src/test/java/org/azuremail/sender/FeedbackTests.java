package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.feedback.SendGridEventReader;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks events about emails, and their effect on outcomes, suppressions and the message. */
class FeedbackTests extends OnFeedback {

    @Test
    void eventsDecideUnknownOutcomesAndStandBesideSent() {
        list();
        MessageRef ref = begin();
        world.runToEnd();
        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(8, 0, 0, 4));

        int known = world.process.recorder.record(List.of(
                event(0, null, 0),
                event(1, Kind.HARD_BOUNCE, 1),
                event(7, Kind.COMPLAINT, 2),
                event(7, null, 0),
                event(9, Kind.SOFT_BOUNCE, 3)));

        assertThat(known).isEqualTo(5);
        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(10, 0, 0, 2, 2, 1));
        assertThat(world.find(ref).result().counts()).isEqualTo(counts(ref));
        assertThat(addresses(ref, OutcomeGroup.BOUNCED)).containsExactlyInAnyOrder(address(1), address(9));
        assertThat(addresses(ref, OutcomeGroup.COMPLAINED)).containsExactly(address(7));
        assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(why(7)).contains(SuppressionReason.SUPPRESSED_COMPLAINT);
        assertThat(why(9)).isEmpty();
        assertThat(world.process
                        .search
                        .search(world.find(ref), new EmailAddress(address(1)))
                        .words())
                .contains("5.1.1 no such user");
    }

    private Set<String> addresses(MessageRef ref, OutcomeGroup group) {
        Set<String> found = new HashSet<>();
        String cursor = null;
        do {
            var page = world.process.control.outcomes(world.find(ref), group, 50, cursor);
            page.items().forEach(one -> found.add(one.recipient().address().value()));
            cursor = page.continuation();
        } while (cursor != null);
        return found;
    }

    @Test
    void threeSoftBouncesOfDifferentMessagesSuppress() {
        list();
        for (int message = 0; message < 3; message++) {
            assertThat(why(5)).isEmpty();
            begin();
            world.runToEnd();
            world.process.recorder.record(
                    List.of(event(5, Kind.SOFT_BOUNCE, message), event(5, Kind.SOFT_BOUNCE, message)));
        }
        assertThat(why(5)).contains(SuppressionReason.SUPPRESSED_SOFT_BOUNCES);
    }

    /** A server that refuses at once may be ours, and wrong about a whole domain. */
    @ParameterizedTest
    @CsvSource({"NO_MAILBOX, true", "NOT_ACCEPTED, false"})
    void threeMessagesToAMissingMailboxSuppress(ReasonCode code, boolean suppressed) {
        list();
        for (int message = 0; message < 3; message++) {
            assertThat(why(5)).isEmpty();
            MessageRef ref = begin();
            world.transport.answer(
                    (mail, attempt) -> mail.to().address().value().equals(address(5))
                            ? new Answer.Refused(Reason.of(code, "550 5.1.1 no such user"))
                            : new Answer.Accepted("id"));
            world.runToEnd();
            assertThat(counts(ref)).isEqualTo(new OutcomeCounts(11, 1, 0, 0));
        }
        assertThat(why(5))
                .isEqualTo(suppressed ? Optional.of(SuppressionReason.SUPPRESSED_SOFT_BOUNCES) : Optional.empty());
        assertThat(why(6)).isEmpty();
    }

    @Test
    void outcomesAreRecordedAlthoughAMissingMailboxCannotBeCounted() {
        list();
        MessageRef ref = begin();
        world.transport.answer((mail, attempt) -> new Answer.Refused(Reason.of(ReasonCode.NO_MAILBOX, "550 5.1.1")));
        world.storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                if (call.place().equals("suppression") && call.kind() == Call.Kind.WRITE) {
                    throw new StorageException(StorageException.Reason.UNAVAILABLE, "away", null);
                }
            }
        });

        world.runToEnd();

        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(0, RECIPIENTS, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "dropped, Recipient List over Package Quota",
        "dropped, Invalid SMTPAPI header",
        "dropped, Spam Content",
        "dropped, Unsubscribed Address",
        "blocked, 550 5.7.1 IP address is listed"
    })
    void eventsThatConcernTheAccountCountAsBouncedAndNeverSuppress(String event, String reason) {
        list();
        for (int message = 0; message < 4; message++) {
            MessageRef ref = begin();
            world.runToEnd();
            Map<String, String> fields = Map.of(
                    "event",
                    event.equals("blocked") ? "bounce" : event,
                    "type",
                    event,
                    "reason",
                    reason,
                    "timestamp",
                    "1767265200",
                    "azuremail",
                    handles.get(address(5)));
            assertThat(world.process.recorder.record(List.of(SendGridEventReader.read(fields, world.process.handles)
                            .orElseThrow())))
                    .isOne();
            assertThat(counts(ref).bounced()).isOne();
            assertThat(addresses(ref, OutcomeGroup.BOUNCED)).containsExactly(address(5));
        }
        assertThat(why(5)).isEmpty();
    }

    /** SendGrid may send an event before the sender has received the answer to its request. */
    @Test
    void anEventThatIsFasterThanTheAnswerIsKept() {
        list();
        MessageRef ref = begin();
        world.transport.afterHandOver(() -> handles.keySet()
                .forEach(address -> world.process.recorder.record(
                        List.of(event(number(address), number(address) == 6 ? Kind.HARD_BOUNCE : null, 0)))));
        world.runToEnd();
        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0, 1, 0));
        assertThat(world.find(ref).result().counts()).isEqualTo(counts(ref));
        assertThat(world.transport.attempts(ref, address(2))).isOne();
    }

    /** The range is read again because another person has unsubscribed. It then has no recipient left to retry. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anEventThatIsFasterThanAnAnswerToTryAgainEndsTheTries() {
        world.list("contoso1", 1, RECIPIENTS, 0);
        MessageRef ref = begin();
        world.transport.answer((mail, attempt) -> {
            String to = mail.to().address().value();
            handles.put(to, Optional.ofNullable(mail.handle()).orElseThrow());
            return number(to) == 6
                    ? new Answer.RetryAfter(Duration.ofMinutes(1), "451 later")
                    : new Answer.Accepted("id");
        });
        world.transport.afterHandOver(() -> {
            if (handles.containsKey(address(6))) {
                world.process.recorder.record(List.of(event(6, null, 0)));
                world.leave(new ListName("contoso1"), address(11));
            }
        });

        world.runToEnd();

        assertThat(world.outcomes(ref)).containsEntry(address(6), Outcome.SENT).hasSize(RECIPIENTS);
        assertThat(world.transport.attempts(ref, address(6))).isOne();
    }

    /** A report about an earlier generation counts: the recipient needs no further email. */
    @Test
    void aLateEventKeepsSomebodyFromBeingSentItAgain() {
        list();
        MessageRef ref = begin();
        world.runToEnd();
        MailEvent late = event(2, null, 0);
        world.process.reopening.reopen(ref, EnumSet.of(Outcome.UNKNOWN));
        world.process.recorder.record(List.of(late));
        world.transport.answer((mail, attempt) -> new Answer.Accepted("id"));
        world.runToEnd();
        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0));
        assertThat(world.transport.attempts(ref, address(2))).isOne();
        assertThat(world.transport.attempts(ref, address(3))).isEqualTo(2);
    }

    @Test
    void aHandleOfAnotherInstallationIsRefused() {
        list();
        begin();
        world.runToEnd();
        String handle = handles.get(address(1));
        assertThat(handle).hasSizeLessThanOrEqualTo(52).matches("[0-9a-z]+");
        assertThat(world.process.handles.read(handle.toUpperCase(java.util.Locale.ROOT)))
                .isPresent();
        for (int i = 0; i < handle.length(); i++) {
            char other = handle.charAt(i) == 'z' ? 'y' : 'z';
            assertThat(world.process.handles.read(handle.substring(0, i) + other + handle.substring(i + 1)))
                    .isEmpty();
        }
        for (String odd :
                List.of("", "azuremail", "0".repeat(52), "z".repeat(52), "z".repeat(5000), "../../etc/passwd")) {
            assertThat(world.process.handles.read(odd)).isEmpty();
        }
    }

    @Test
    void anEventWhoseReasonHasHalfAnEmojiIsTaken() {
        list();
        begin();
        world.runToEnd();
        Map<String, String> fields = Map.of(
                "event", "bounce",
                "type", "bounce",
                "status", "5.1.1",
                "reason", "550 no such user \uD83D",
                "timestamp", "1767265200",
                "azuremail", handles.get(address(5)));

        assertThat(world.process.recorder.record(List.of(
                        SendGridEventReader.read(fields, world.process.handles).orElseThrow())))
                .isOne();
        assertThat(why(5)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
    }

    @ParameterizedTest
    @CsvSource({"HARD_BOUNCE, 6, false", "HARD_BOUNCE, 7, true", "COMPLAINT, 0, false", "COMPLAINT, 1, true"})
    void aMessagePausesOnceWhenTooManyBounceOrComplain(Kind kind, int events, boolean pauses) {
        world = new SimulatedWorld();
        world.list("contoso1", 200, 0);
        handles.clear();
        MessageRef ref = world.message(new ListName("contoso1"), OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            if (handles.size() < 120) {
                handles.put(mail.to().address().value(), mail.handle());
                return new Answer.Accepted("id");
            }
            return new Answer.RetryAfter(Duration.ofMinutes(5), "450 later");
        });
        world.process.turn();
        assertThat(counts(ref).sent()).isEqualTo(120);
        Instant at = world.time.instant();
        List<MailEvent> told = handles.values().stream()
                .limit(events)
                .map(handle -> new MailEvent(
                        world.process.handles.read(handle).orElseThrow(),
                        new Feedback(kind, at, "5.1.1", "", Feedback.EVENTS),
                        ""))
                .toList();
        world.process.recorder.record(told);
        world.process.look();
        assertThat(world.find(ref).paused()).isEqualTo(pauses);
        if (pauses) {
            assertThat(world.find(ref)
                            .state()
                            .pauseReason()
                            .is(kind == Kind.COMPLAINT ? ReasonCode.TOO_MANY_COMPLAINTS : ReasonCode.TOO_MANY_BOUNCES))
                    .isTrue();
            world.process.control.resume(ref);
            world.process.look();
            assertThat(world.find(ref).paused()).as("resumed by a person").isFalse();
        }
    }
}
