package org.azuremail.web.message;

import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.web.layout.Question;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** The question before a message is deleted, and its answer. */
@Controller
class DeletePages {

    private static final String NOT_PENDING = "Message can't be deleted because it isn't in Pending status.";

    private final Messages messages;
    private final MessageDesk desk;

    DeletePages(Messages messages, MessageDesk desk) {
        this.messages = messages;
        this.desk = desk;
    }

    @GetMapping("/messages/{ref}/delete")
    String ask(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        if (!message.editable()) {
            return desk.refused(message, NOT_PENDING, model);
        }
        return new Question(
                        "Delete this message?",
                        "It is not sent to anybody. This cannot be undone.",
                        "Delete message",
                        "/messages/" + ref + "/delete",
                        "/messages/" + ref)
                .showing("Subject", message.subject())
                .showing("List", message.list().value())
                .ask(model, "messages");
    }

    @PostMapping("/messages/{ref}/delete")
    String delete(@PathVariable MessageRef ref, Model model) {
        return switch (messages.delete(ref)) {
            case DELETED, MISSING -> "redirect:/messages?notice=message-deleted";
            case NOT_PENDING -> desk.refused(desk.require(ref), NOT_PENDING, model);
        };
    }
}
