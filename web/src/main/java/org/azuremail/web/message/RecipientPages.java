package org.azuremail.web.message;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.Recorded;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.figures.FigureStore;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The recipients of a message, those who got it and those who did not: all of them, by outcome, or one address. */
@Controller
record RecipientPages(MessageDesk desk, MessageControl control, RecipientSearch search, FigureStore figures) {

    /** Not an outcome, but what people look for beside them. */
    static final String WAITING = "waiting";

    private static final String ALL = "all";

    private static final int PAGE = 50;

    @GetMapping("/messages/{ref}/recipients")
    String recipients(
            @PathVariable MessageRef ref,
            @RequestParam @Nullable String email,
            @RequestParam @Nullable String outcome,
            @RequestParam @Nullable String cursor,
            Model model) {
        Message message = desk.require(ref);
        model.addAttribute("message", message);
        MessageProgress progress = control.progress(message);
        model.addAttribute("progress", progress);
        model.addAttribute("undecided", undecided(ref, progress.counts().unknown()));
        model.addAttribute("email", email);
        model.addAttribute("first", cursor == null);
        if (email != null && !email.isBlank()) {
            search(message, email, model);
        } else {
            String only = known(outcome);
            model.addAttribute("outcome", only);
            list(message, only, cursor, model);
        }
        return "message/recipients";
    }

    /** As many as were counted last, or {@code null} if nobody has counted yet. */
    private @Nullable Long undecided(MessageRef ref, long unknown) {
        return unknown == 0
                ? Long.valueOf(0)
                : figures.find(ref)
                        .map(counted -> Math.min(counted.silent(), unknown))
                        .orElse(null);
    }

    private static String known(@Nullable String outcome) {
        boolean waiting = WAITING.equalsIgnoreCase(outcome);
        return waiting
                ? WAITING
                : OutcomeGroup.of(outcome)
                        .map(one -> one.name().toLowerCase(Locale.ROOT))
                        .orElse(ALL);
    }

    private void list(Message message, String only, @Nullable String cursor, Model model) {
        Page<RecipientLine> page = PageCursor.read(
                cursor,
                from -> only.equals(WAITING)
                        ? lines(control.waiting(message, PAGE, from), RecipientLine::of)
                        : lines(
                                OutcomeGroup.of(only)
                                        .map(one -> control.outcomes(message, one, PAGE, from))
                                        .orElseGet(() -> control.outcomes(message, PAGE, from)),
                                RecipientLine::of));
        List<RecipientLine> lines = new ArrayList<>(page.items());
        if (cursor == null && page.continuation() == null) {
            lines.sort(Comparator.comparing(RecipientLine::address));
        }
        model.addAttribute("lines", lines);
        model.addAttribute("next", page.continuation());
    }

    private static <T> Page<RecipientLine> lines(Page<T> page, Function<T, RecipientLine> line) {
        return new Page<>(page.items().stream().map(line).toList(), page.continuation());
    }

    private void search(Message message, String email, Model model) {
        Optional<RecipientSearch.Found> found = search.search(message, email);
        model.addAttribute("lines", List.of());
        model.addAttribute("notAnAddress", found.isEmpty());
        found.ifPresent(one -> {
            model.addAttribute("address", one.address().value());
            model.addAttribute("story", one.story());
        });
    }

    /**
     * @param list of which it is a subscriber
     * @param code of the outcome, of what became known later, or {@code waiting}
     * @param at when it ended, or until when it waits; {@code null} when nobody knows
     * @param undecided whether somebody may decide about it
     */
    record RecipientLine(
            String list,
            String address,
            String code,
            @Nullable Instant at,
            String detail,
            boolean undecided) {

        static RecipientLine of(Recorded recorded) {
            Feedback feedback = recorded.feedback();
            return new RecipientLine(
                    recorded.recipient().list().value(),
                    recorded.recipient().address().value(),
                    code(recorded).toLowerCase(Locale.ROOT),
                    feedback == null ? recorded.at() : feedback.at(),
                    feedback == null ? recorded.told() : feedback.reason().words(),
                    recorded.outcome() == Outcome.UNKNOWN);
        }

        private static String code(Recorded recorded) {
            return recorded.complained()
                    ? OutcomeGroup.COMPLAINED.name()
                    : recorded.bounced()
                            ? OutcomeGroup.BOUNCED.name()
                            : recorded.outcome().name();
        }

        static RecipientLine of(Recipient waiting) {
            boolean asked = waiting.notBefore() != null;
            return new RecipientLine(
                    waiting.list().value(),
                    waiting.address().value(),
                    "waiting",
                    waiting.notBefore(),
                    asked ? Reason.of(ReasonCode.PUT_OFF).words() : "",
                    false);
        }
    }
}
