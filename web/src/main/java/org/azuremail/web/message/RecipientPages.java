package org.azuremail.web.message;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.RecipientSearch;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.web.layout.PageCursor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Who got a message and who did not, all of them, by outcome, or one address. */
@Controller
class RecipientPages {

    /** Not an outcome, but what people look for beside them. */
    private static final String WAITING = "waiting";

    private static final int PAGE = 50;

    private final MessageDesk desk;
    private final MessageControl control;
    private final RecipientSearch search;

    RecipientPages(MessageDesk desk, MessageControl control, RecipientSearch search) {
        this.desk = desk;
        this.control = control;
        this.search = search;
    }

    @GetMapping("/messages/{ref}/recipients")
    String recipients(
            @PathVariable MessageRef ref,
            @RequestParam(required = false) @Nullable String email,
            @RequestParam(required = false) @Nullable String outcome,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        Message message = desk.require(ref);
        model.addAttribute("message", message);
        model.addAttribute("progress", control.progress(message));
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

    /** The word for an outcome, or empty for all of them. */
    private static String known(@Nullable String outcome) {
        boolean waiting = WAITING.equalsIgnoreCase(outcome);
        return waiting ? WAITING : outcome(outcome).map(Outcome::stored).orElse("");
    }

    private static Optional<Outcome> outcome(@Nullable String word) {
        return Arrays.stream(Outcome.values())
                .filter(one -> one.stored().equalsIgnoreCase(word))
                .findFirst();
    }

    private void list(Message message, String only, @Nullable String cursor, Model model) {
        if (only.equals(WAITING)) {
            MessageControl.WaitingPage page = PageCursor.read(cursor, from -> control.waiting(message, PAGE, from));
            model.addAttribute(
                    "lines", page.recipients().stream().map(RecipientLine::of).toList());
            model.addAttribute("next", page.continuation());
            return;
        }
        MessageControl.OutcomePage page = PageCursor.read(cursor, from -> outcome(only)
                .map(one -> control.outcomes(message, one, PAGE, from))
                .orElseGet(() -> control.outcomes(message, PAGE, from)));
        model.addAttribute(
                "lines", page.outcomes().stream().map(RecipientLine::of).toList());
        model.addAttribute("next", page.continuation());
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
}
