package org.azuremail.web.message;

import java.security.Principal;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.message.MessageListing.Tab;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** All messages; a message is duplicated or deleted. */
@Controller
record MessagePages(Messages messages, MessageDesk desk, MessageListing listing, DraftSending drafts) {

    private static final String NOT_PENDING = "error.message.not-pending-to-delete";
    private static final String GREETING = "error.message.greeting-sends-it";

    @GetMapping("/messages")
    String all(
            @RequestParam @Nullable String tab,
            @RequestParam(defaultValue = "") String q,
            @RequestParam @Nullable String cursor,
            Model model) {
        Tab shown = Tab.of(tab);
        Page<Message> page = PageCursor.read(cursor, from -> listing.page(shown, q, from));
        model.addAttribute("tab", shown.word());
        model.addAttribute("tabs", Stream.of(Tab.values()).map(Tab::word).toList());
        model.addAttribute("q", q);
        model.addAttribute("messages", page.items());
        model.addAttribute("audiences", desk.audiences(page.items()));
        model.addAttribute("next", page.continuation());
        model.addAttribute("drafts", page.items().stream().filter(desk::draft).toList());
        model.addAttribute(
                "undated", page.items().stream().filter(desk::undated).toList());
        model.addAttribute("first", cursor == null);
        model.addAttribute("noLists", desk.lists().isEmpty());
        return "message/all";
    }

    /** The address that the page of sent messages had. */
    @GetMapping("/sent")
    String sent() {
        return "redirect:/messages?tab=" + Tab.SENT.word();
    }

    /** A draft with the content of another message. */
    @PostMapping("/messages/{ref}/duplicate")
    String duplicate(@PathVariable MessageRef ref, Principal me) {
        Message message = desk.require(ref);
        Optional<Bodies> bodies = messages.bodies(message);
        if (bodies.isEmpty()) {
            return Notice.problem("message-not-duplicated").on("/messages/" + ref);
        }
        Messages.Creation made = messages.create(new Messages.NewMessage(
                message.audience().onAnyDay(),
                messages.draft(message, bodies.get()),
                new Schedule(desk.now(), message.schedule().zone()),
                message.onUnknown(),
                message.mailClass(),
                me.getName(),
                true,
                true));
        return made instanceof Messages.Creation.Created created
                ? Notice.done("message-duplicated")
                        .on("/messages/" + created.message().ref() + "/edit")
                : Notice.problem("message-not-duplicated").on("/messages/" + ref);
    }

    @GetMapping("/messages/{ref}/delete")
    String askToDelete(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        if (!message.editable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        Optional<String> greeting = drafts.greeting(message);
        if (greeting.isPresent()) {
            return usedBy(greeting.get(), message, model);
        }
        return desk.question("delete-message", message, "/delete").ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/delete")
    String delete(@PathVariable MessageRef ref, Model model) {
        Optional<String> greeting = messages.find(ref).flatMap(drafts::greeting);
        if (greeting.isPresent()) {
            return usedBy(greeting.get(), desk.require(ref), model);
        }
        return switch (messages.delete(ref)) {
            case DELETED, MISSING -> Notice.done("message-deleted").on("/messages");
            case NOT_PENDING -> desk.refused(desk.require(ref), NOT_PENDING, model);
        };
    }

    private String usedBy(String greeting, Message message, Model model) {
        model.addAttribute("greeting", greeting);
        return desk.refused(message, GREETING, model);
    }
}
