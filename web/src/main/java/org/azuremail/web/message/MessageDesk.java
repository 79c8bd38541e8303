package org.azuremail.web.message;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.time.Time;
import org.azuremail.web.layout.NotHere;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** What the pages of messages need around them. */
@Component
class MessageDesk {

    private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .filter(id -> id.equals("UTC") || (id.matches("[A-Z][a-z]+/.+") && !id.startsWith("Etc/")))
            .sorted()
            .toList();

    private final Messages messages;
    private final ListStore lists;
    private final AzureMailProperties settings;
    private final MailProperties mail;
    private final Time time;

    MessageDesk(Messages messages, ListStore lists, AzureMailProperties settings, MailProperties mail, Time time) {
        this.messages = messages;
        this.lists = lists;
        this.settings = settings;
        this.mail = mail;
        this.time = time;
    }

    Message require(MessageRef ref) {
        return messages.find(ref)
                .orElseThrow(() -> new NotHere("There is no message " + ref + ". Perhaps somebody deleted it."));
    }

    List<MailingList> lists() {
        return lists.all().stream().filter(list -> !list.deleting()).toList();
    }

    ZoneId zone() {
        return settings.zone();
    }

    OnUnknown onUnknown() {
        return mail.onUnknown();
    }

    Instant now() {
        return time.instant();
    }

    /** Whether somebody has yet to send or schedule it. Drafts of old versions bear no mark: they are due, and paused. */
    boolean draft(Message message) {
        boolean unmarked = message.pauseReason().none() && message.due(now());
        return message.editable() && message.paused() && (message.draft() || unmarked);
    }

    /** Whether it is a draft that is not to wait for a day: its date means nothing. */
    boolean undated(Message message) {
        return draft(message) && message.due(now());
    }

    /** What every form of a message shows. */
    String form(Model model, String view) {
        model.addAttribute("lists", lists());
        model.addAttribute("zones", ZONES);
        return view;
    }

    /** Says why a message is left as it is. */
    String refused(Message message, String reason, Model model) {
        model.addAttribute("message", message);
        model.addAttribute("reason", reason);
        return "message/refused";
    }
}
