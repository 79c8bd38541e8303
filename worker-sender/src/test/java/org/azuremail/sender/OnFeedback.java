package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.jspecify.annotations.Nullable;

/** A message to twelve people, four of whom are in doubt, and events about its emails. */
abstract class OnFeedback {

    static final int RECIPIENTS = 12;

    SimulatedWorld world = new SimulatedWorld();

    /** The handle in each recipient's latest email. */
    final Map<String, String> handles = new TreeMap<>();

    MessageRef begin() {
        handles.clear();
        MessageRef ref = world.message(new ListName("contoso1"), OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            handles.put(
                    mail.to().address().value(),
                    Optional.ofNullable(mail.handle()).orElseThrow());
            return number(mail.to().address().value()) < 4
                    ? new Answer.Unknown(Reason.ofText("502"))
                    : new Answer.Accepted("id");
        });
        return ref;
    }

    void list() {
        world.list("contoso1", RECIPIENTS, 0);
    }

    static int number(String address) {
        return Integer.parseInt(address.substring(1, 3));
    }

    static String address(int number) {
        return "v%02d@contoso1.test".formatted(number);
    }

    MailEvent event(int recipient, @Nullable Kind kind, int minutes) {
        Instant at = Instant.parse("2026-11-23T12:00:00Z").plus(Duration.ofMinutes(minutes));
        Feedback feedback = kind == null ? null : new Feedback(kind, at, "5.1.1", "no such user", Feedback.EVENTS);
        return new MailEvent(
                world.process.handles.read(handles.get(address(recipient))).orElseThrow(), feedback, "event-id");
    }

    OutcomeCounts counts(MessageRef ref) {
        return world.process.control.progress(world.find(ref)).counts();
    }

    Optional<SuppressionReason> why(int number) {
        return world.process.suppressions.findReason(new EmailAddress(address(number)));
    }
}
