package org.azuremail.web.message;

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
record DeletePages(Messages messages, MessageDesk desk) {

    private static final String NOT_PENDING = "error.message.not-pending-to-delete";

    @GetMapping("/messages/{ref}/delete")
    String ask(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        if (!message.editable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        return new Question("delete-message", "/messages/" + ref + "/delete", "/messages/" + ref)
                .showing("subject", message.subject())
                .showing("list", message.audience().toString())
                .ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/delete")
    String delete(@PathVariable MessageRef ref, Model model) {
        return switch (messages.delete(ref)) {
            case DELETED, MISSING -> Notice.done("message-deleted").on("/messages");
            case NOT_PENDING -> desk.refused(desk.require(ref), NOT_PENDING, model);
        };
    }
}
