package org.azuremail.web.message;

import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Messages.Editing;
import org.azuremail.message.Schedule;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.SubscriptionStore;
import org.azuremail.web.layout.Question;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** The last question before a message goes out at once. */
@Controller
class SendPages {

    private final MessageDesk desk;
    private final Messages messages;
    private final MessageControl control;
    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final LinkWarning linkWarning;

    SendPages(
            MessageDesk desk,
            Messages messages,
            MessageControl control,
            ListStore lists,
            SubscriptionStore subscribers,
            LinkWarning linkWarning) {
        this.desk = desk;
        this.messages = messages;
        this.control = control;
        this.lists = lists;
        this.subscribers = subscribers;
        this.linkWarning = linkWarning;
    }

    @GetMapping("/messages/{ref}/send")
    String ask(@PathVariable MessageRef ref, Model model) {
        Message message = desk.require(ref);
        Optional<MailingList> list = lists.findActive(message.list());
        if (!desk.draft(message) || list.isEmpty()) {
            return back(ref, "message-ended");
        }
        long people = subscribers.counts(list.get()).subscribed();
        return linkWarning
                .on(new Question(
                        "Send now to " + "%,d".formatted(people) + (people == 1 ? " person?" : " people?"),
                        "So many are subscribed at this moment; who joins or leaves before it goes out counts too. Nothing"
                                + " has gone out yet: Back keeps it as a draft.",
                        "Send now",
                        "/messages/" + ref + "/send",
                        "/messages/" + ref))
                .showing("Subject", message.subject())
                .showing("List", message.list().value())
                .ask(model, "messages");
    }

    /** It is checked once more, because the list may have changed, and dated now. Pressing twice sends once. */
    @PostMapping("/messages/{ref}/send")
    String send(@PathVariable MessageRef ref) {
        Optional<Versioned<Message>> found = messages.findActive(ref);
        Message message = desk.require(ref);
        if (found.isEmpty() || !desk.draft(message)) {
            return back(ref, "message-ended");
        }
        Messages.Change today = new Messages.Change(
                message.list(),
                message.subject(),
                null,
                null,
                new Schedule(desk.now(), message.zone()),
                message.onUnknown());
        Editing editing = messages.edit(ref, found.get().etag(), today);
        if (editing instanceof Editing.Refused) {
            return "redirect:/messages/" + ref + "/edit?notice=message-refused";
        }
        boolean goes = editing instanceof Editing.Edited && control.resume(ref);
        return back(ref, goes ? "message-sending" : "message-ended");
    }

    private static String back(MessageRef ref, String notice) {
        return "redirect:/messages/" + ref + "?notice=" + notice;
    }
}
