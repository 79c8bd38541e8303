package org.azuremail.web.message;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.Reopening;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** How far a message is, who got it, and how to stop it. */
@Controller
class ProgressPages {

    private static final int PAGE = 50;

    private final MessageDesk desk;
    private final MessageControl control;
    private final MessageStore store;
    private final ListStore lists;
    private final Reopening reopening;

    ProgressPages(MessageDesk desk, MessageControl control, MessageStore store, ListStore lists, Reopening reopening) {
        this.desk = desk;
        this.control = control;
        this.store = store;
        this.lists = lists;
        this.reopening = reopening;
    }

    @GetMapping("/messages/{ref}")
    String one(@PathVariable MessageRef ref, Model model) {
        progress(ref, model);
        return "message/one";
    }

    /** The part of the page that changes while mail goes out. */
    @GetMapping("/messages/{ref}/progress")
    String progress(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        model.addAttribute("message", message);
        model.addAttribute("progress", control.progress(message));
        model.addAttribute("live", message.completedAt() == null);
        return "message/progress :: progress";
    }

    @GetMapping("/sent")
    String sent(@RequestParam(required = false) @Nullable String cursor, Model model) {
        model.addAttribute("page", store.sent(PAGE, cursor));
        model.addAttribute("first", cursor == null);
        return "message/sent";
    }

    @PostMapping("/messages/{ref}/pause")
    String pause(@PathVariable MessageRef ref) {
        boolean done = control.pause(ref, "");
        return back(ref, done ? "message-paused" : "message-ended");
    }

    @PostMapping("/messages/{ref}/resume")
    String resume(@PathVariable MessageRef ref) {
        boolean done = control.resume(ref);
        return back(ref, done ? "message-resumed" : "message-ended");
    }

    @GetMapping("/messages/{ref}/cancel")
    String askToCancel(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        return new Question(
                        "Cancel this message?",
                        "Nobody else gets it. Who was mailed already has it; everybody else is recorded as Skipped. "
                                + "A cancelled message cannot be sent on.",
                        "Cancel message",
                        "/messages/" + ref + "/cancel",
                        "/messages/" + ref)
                .showing("Subject", message.subject())
                .showing("List", message.list().value())
                .ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/cancel")
    String cancel(@PathVariable MessageRef ref) {
        boolean done = control.cancel(ref);
        return back(ref, done ? "message-cancelled" : "message-ended");
    }

    @GetMapping("/messages/{ref}/again")
    String askToSendAgain(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        return new Question(
                        "Send to the missing?",
                        "The message goes once more to everybody whose outcome is Failed or Unknown. Whoever is Unknown "
                                + "may have got it already, and gets it twice then. Nobody whose outcome is Sent gets it.",
                        "Send again",
                        "/messages/" + ref + "/again",
                        "/messages/" + ref)
                .showing("Subject", message.subject())
                .showing("Failed", String.valueOf(message.counts().failed()))
                .showing("Unknown", String.valueOf(message.counts().unknown()))
                .ask(model, "sent");
    }

    @PostMapping("/messages/{ref}/again")
    String sendAgain(@PathVariable MessageRef ref) {
        Reopening.Answer answer = reopening.reopen(ref, Set.of(Outcome.FAILED, Outcome.UNKNOWN));
        return back(ref, answer == Reopening.Answer.REOPENED ? "message-reopened" : "message-ended");
    }

    @GetMapping("/messages/{ref}/recipients")
    String recipients(
            @PathVariable MessageRef ref,
            @RequestParam(required = false) @Nullable String email,
            @RequestParam(required = false) @Nullable String cursor,
            Model model) {
        Message message = desk.require(ref);
        model.addAttribute("message", message);
        model.addAttribute("email", email);
        model.addAttribute("first", cursor == null);
        if (email == null || email.isBlank()) {
            MessageControl.OutcomePage page = control.outcomes(message, PAGE, cursor);
            model.addAttribute("outcomes", page.outcomes());
            model.addAttribute("next", page.continuation());
        } else {
            search(message, email, model);
        }
        return "message/recipients";
    }

    private void search(Message message, String email, Model model) {
        Optional<EmailAddress> address = EmailAddress.parse(email);
        List<MessageControl.OneRecipient> found = address.stream()
                .flatMap(typed -> shards(message, typed).map(shard -> control.recipient(message, shard, typed)))
                .toList();
        List<Recorded> outcomes =
                found.stream().flatMap(one -> one.outcome().stream()).toList();
        model.addAttribute("outcomes", outcomes);
        model.addAttribute("notAnAddress", address.isEmpty());
        model.addAttribute(
                "waits", outcomes.isEmpty() && found.stream().anyMatch(MessageControl.OneRecipient::waiting));
    }

    /** Where the address is; everywhere, when nobody knows any more because the list is gone. */
    private Stream<Integer> shards(Message message, EmailAddress address) {
        return lists.find(message.list())
                .filter(list -> list.value().shards() == message.shards())
                .map(list -> Stream.of(list.value().shardOf(address)))
                .orElseGet(() -> message.shardNumbers().boxed());
    }

    private static String back(MessageRef ref, String notice) {
        return "redirect:/messages/" + ref + "?notice=" + notice;
    }
}
