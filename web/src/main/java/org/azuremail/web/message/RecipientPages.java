package org.azuremail.web.message;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.figures.FigureStore;
import org.azuremail.id.AsciiWord;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.subscription.transfer.CsvWriter;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the recipients of a message: all, by outcome, or one address. */
@Controller
record RecipientPages(MessagePageSupport support, MessageControl control, RecipientSearch search, FigureStore figures) {

    /** The group of recipients without an outcome, which the page offers beside the outcomes. */
    private static final String WAITING = "waiting";

    private static final String ALL = "all";

    private static final int PAGE = 50;

    /** The number of recipients read at a time for a file. */
    private static final int EXPORT_PAGE = 1000;

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

    @GetMapping("/messages/{ref}/recipients")
    String recipients(
            @PathVariable MessageRef ref,
            @RequestParam @Nullable String email,
            @RequestParam @Nullable String outcome,
            @RequestParam @Nullable String cursor,
            Model model) {
        Message message = support.require(ref);
        model.addAttribute("message", message);
        MessageProgress progress = control.progress(message);
        model.addAttribute("progress", progress);
        model.addAttribute("undecided", undecided(ref, progress.counts().unknown()));
        model.addAttribute("email", email);
        model.addAttribute("first", cursor == null);
        if (email != null && !email.isBlank()) {
            search(message, email, model);
        } else {
            String only = outcomeWord(outcome);
            model.addAttribute("outcome", only);
            list(message, only, cursor, model);
        }
        return "message/recipients";
    }

    /**
     * Returns the number of Unknown recipients who were undecided at the last count; {@code null} before the first
     * count.
     */
    private @Nullable Long undecided(MessageRef ref, long unknown) {
        return unknown == 0
                ? Long.valueOf(0)
                : figures.find(ref)
                        .map(counted -> Math.min(counted.undecided(), unknown))
                        .orElse(null);
    }

    private static String outcomeWord(@Nullable String outcome) {
        boolean waiting = AsciiWord.same(WAITING, outcome);
        return waiting
                ? WAITING
                : OutcomeGroup.of(outcome)
                        .map(one -> one.name().toLowerCase(Locale.ROOT))
                        .orElse(ALL);
    }

    private void list(Message message, String only, @Nullable String cursor, Model model) {
        ZoneId zone = support.settings().zone();
        Page<RecipientLine> page = PageCursor.read(
                "recipients of " + message.ref() + " " + only,
                cursor,
                from -> only.equals(WAITING)
                        ? control.waiting(message, PAGE, from).map(one -> RecipientLine.of(one, zone))
                        : outcomes(message, OutcomeGroup.of(only), PAGE, from).map(RecipientLine::of));
        List<RecipientLine> lines = new ArrayList<>(page.items());
        if (cursor == null && page.last()) {
            lines.sort(Comparator.comparing(RecipientLine::address));
        }
        model.addAttribute("lines", lines);
        model.addAttribute("next", page.continuation());
    }

    private Page<RecordedOutcome> outcomes(
            Message message, Optional<OutcomeGroup> only, int max, @Nullable String from) {
        return only.isPresent()
                ? control.outcomes(message, only.get(), max, from)
                : control.outcomes(message, max, from);
    }

    private void search(Message message, String email, Model model) {
        Optional<RecipientSearch.Found> found = search.search(message, email);
        model.addAttribute("lines", List.of());
        model.addAttribute("notAnAddress", found.isEmpty());
        found.ifPresent(one -> {
            model.addAttribute("address", one.address().value());
            model.addAttribute("story", one.explanation());
        });
    }

    /**
     * Returns a CSV file: all recipients with an outcome, then all who still wait for the email; or one of these
     * groups.
     */
    @GetMapping("/messages/{ref}/recipients.csv")
    ResponseEntity<StreamedBody> export(@PathVariable MessageRef ref, @RequestParam(defaultValue = "") String outcome) {
        Message message = support.require(ref);
        return Download.csv("message-" + ref + "-recipients.csv", out -> write(message, outcome, new CsvWriter(out)));
    }

    /** Writes recipients while reading them, so that any number takes the same memory. */
    private void write(Message message, String outcome, CsvWriter csv) throws IOException {
        csv.writeRow(HEADER);
        String audience = message.audience().withoutOccasion().stored();
        Optional<OutcomeGroup> only = OutcomeGroup.of(outcome);
        boolean waiting = AsciiWord.same(WAITING, outcome);
        if (!waiting) {
            csv.writeRows(Page.stream(from -> outcomes(message, only, EXPORT_PAGE, from))
                    .map(recorded -> outcomeCells(recorded, audience)));
        }
        if ((waiting || only.isEmpty()) && message.begun() && message.completedAt() == null) {
            csv.writeRows(Page.stream(from -> control.waiting(message, EXPORT_PAGE, from))
                    .map(recipient -> waiting(recipient, audience)));
        }
    }

    private static List<String> outcomeCells(RecordedOutcome recorded, String audience) {
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
                Objects.toString(recorded.transport(), ""),
                sent && reason.none() ? recorded.detail() : "",
                feedback == null ? "" : feedback.kind().name().toLowerCase(Locale.ROOT),
                feedback == null ? "" : feedback.code(),
                feedback == null ? "" : feedback.diagnostic(),
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

    /**
     * A recipient on the page.
     *
     * @param list the list to which the address is subscribed
     * @param code the code of the outcome, of a later report, or {@code waiting}
     * @param at the time of the outcome, or the time until which the recipient waits; {@code null} if it is unknown
     * @param undecided whether an admin may decide about the outcome
     */
    record RecipientLine(
            String list,
            String address,
            String code,
            @Nullable Instant at,
            String detail,
            boolean undecided) {

        static RecipientLine of(RecordedOutcome recorded) {
            Feedback feedback = recorded.feedback();
            return new RecipientLine(
                    recorded.recipient().list().value(),
                    recorded.recipient().address().value(),
                    code(recorded).toLowerCase(Locale.ROOT),
                    feedback == null ? recorded.at() : feedback.at(),
                    feedback == null ? recorded.detailText() : feedback.reason().words(),
                    recorded.outcome() == Outcome.UNKNOWN);
        }

        private static String code(RecordedOutcome recorded) {
            return recorded.complained()
                    ? OutcomeGroup.COMPLAINED.name()
                    : recorded.bounced()
                            ? OutcomeGroup.BOUNCED.name()
                            : recorded.outcome().name();
        }

        static RecipientLine of(Recipient waiting, ZoneId zone) {
            return new RecipientLine(
                    waiting.list().value(),
                    waiting.address().value(),
                    "waiting",
                    waiting.notBefore(),
                    waiting.waitsFor().words(zone),
                    false);
        }
    }
}
