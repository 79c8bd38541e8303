package org.azuremail.web.message;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.subscription.transfer.CsvOut;
import org.azuremail.web.download.Download;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * The recipients of a message as a CSV file: everybody with an outcome, then everybody who still waits for the email; or one
 * group of them.
 */
@Controller
record RecipientExport(MessageDesk desk, MessageControl control) {

    private static final int PAGE = 1000;

    private static final List<String> HEADER = List.of(
            "email",
            "name",
            "outcome",
            "reason_code",
            "reason",
            "at",
            "attempt",
            "transport",
            "provider_id",
            "feedback",
            "feedback_code",
            "feedback_text",
            "feedback_at",
            "list",
            "audience");

    private interface Pages<T> {
        Page<T> read(@Nullable String from);
    }

    @GetMapping("/messages/{ref}/recipients.csv")
    ResponseEntity<StreamingResponseBody> export(
            @PathVariable MessageRef ref, @RequestParam(defaultValue = "") String outcome) {
        Message message = desk.require(ref);
        return Download.csv("message-" + ref + "-recipients.csv", out -> write(message, outcome, new CsvOut(out)));
    }

    /** Read as it is written: any number of recipients takes the same memory. */
    private void write(Message message, String outcome, CsvOut csv) throws IOException {
        csv.row(HEADER);
        String audience = message.audience().onAnyDay().stored();
        Optional<OutcomeGroup> only = OutcomeGroup.of(outcome);
        boolean waiting = RecipientPages.WAITING.equalsIgnoreCase(outcome);
        if (!waiting) {
            all(
                    csv,
                    from -> only.isPresent()
                            ? control.outcomes(message, only.get(), PAGE, from)
                            : control.outcomes(message, PAGE, from),
                    recorded -> ended(recorded, audience));
        }
        if ((waiting || only.isEmpty()) && message.begun() && message.completedAt() == null) {
            all(csv, from -> control.waiting(message, PAGE, from), recipient -> waiting(recipient, audience));
        }
    }

    private static <T> void all(CsvOut csv, Pages<T> pages, Function<T, List<String>> row) throws IOException {
        String from = null;
        do {
            Page<T> page = pages.read(from);
            for (T one : page.items()) {
                csv.row(row.apply(one));
            }
            from = page.continuation();
        } while (from != null);
    }

    private static List<String> ended(Recorded recorded, String audience) {
        Reason reason = recorded.reason();
        Feedback feedback = recorded.feedback();
        boolean sent = recorded.outcome() == Outcome.SENT;
        return List.of(
                recorded.recipient().address().value(),
                recorded.recipient().name(),
                recorded.outcome().name().toLowerCase(Locale.ROOT),
                reason.code(),
                reason.words(),
                recorded.at().toString(),
                String.valueOf(recorded.generation() + 1),
                text(recorded.transport()),
                sent && reason.none() ? recorded.detail() : "",
                feedback == null ? "" : feedback.kind().name().toLowerCase(Locale.ROOT),
                feedback == null ? "" : feedback.code(),
                feedback == null ? "" : feedback.said(),
                feedback == null ? "" : feedback.at().toString(),
                recorded.recipient().list().value(),
                audience);
    }

    private static List<String> waiting(Recipient recipient, String audience) {
        Instant notBefore = recipient.notBefore();
        return List.of(
                recipient.address().value(),
                recipient.name(),
                "waiting",
                "",
                "",
                notBefore == null ? "" : notBefore.toString(),
                String.valueOf(recipient.generation() + 1),
                "",
                "",
                "",
                "",
                "",
                "",
                recipient.list().value(),
                audience);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
