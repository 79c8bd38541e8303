package org.azuremail.web.message;

import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.subscription.store.SubscriptionStore;
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
    private final DraftSending drafts;
    private final ListStore lists;
    private final SubscriptionStore subscribers;
    private final LinkWarning linkWarning;

    SendPages(
            MessageDesk desk,
            DraftSending drafts,
            ListStore lists,
            SubscriptionStore subscribers,
            LinkWarning linkWarning) {
        this.desk = desk;
        this.drafts = drafts;
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

    /** Pressing twice sends once. */
    @PostMapping("/messages/{ref}/send")
    String send(@PathVariable MessageRef ref) {
        return switch (drafts.send(desk.require(ref))) {
            case GOES -> back(ref, "message-sending");
            case NO_DRAFT -> back(ref, "message-ended");
            case REFUSED -> "redirect:/messages/" + ref + "/edit?notice=message-refused";
        };
    }

    private static String back(MessageRef ref, String notice) {
        return "redirect:/messages/" + ref + "?notice=" + notice;
    }
}
