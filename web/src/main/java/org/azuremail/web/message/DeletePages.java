package org.azuremail.web.message;

import java.util.Optional;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.Question;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** The question before a message is deleted, and its answer. */
@Controller
record DeletePages(Messages messages, MessageDesk desk, DraftSending drafts) {

    private static final String NOT_PENDING = "error.message.not-pending-to-delete";
    private static final String GREETING = "error.message.greeting-sends-it";

    @GetMapping("/messages/{ref}/delete")
    String ask(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        if (!message.editable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        Optional<String> greeting = drafts.greeting(message);
        if (greeting.isPresent()) {
            return usedBy(greeting.get(), message, model);
        }
        return new Question("delete-message", "/messages/" + ref + "/delete", "/messages/" + ref)
                .showing("subject", message.subject())
                .showing("list", desk.audience(message.audience()))
                .ask(model, "messages");
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
