package org.azuremail.web.message;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.time.Time;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.layout.NotHere;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** The parts that the pages of messages share. */
@Component
class MessageDesk {

    static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .filter(id -> id.equals("UTC") || (id.matches("[A-Z][a-z]+/.+") && !id.startsWith("Etc/")))
            .sorted()
            .toList();

    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH);

    private final Messages messages;
    private final ListStore lists;
    private final AzureMailProperties settings;
    private final MailProperties mail;
    private final MailClasses classes;
    private final MessageSource texts;
    private final Time time;

    MessageDesk(
            Messages messages,
            ListStore lists,
            AzureMailProperties settings,
            MailProperties mail,
            MailClasses classes,
            MessageSource texts,
            Time time) {
        this.messages = messages;
        this.lists = lists;
        this.settings = settings;
        this.mail = mail;
        this.classes = classes;
        this.texts = texts;
        this.time = time;
    }

    Message require(MessageRef ref) {
        return messages.find(ref).orElseThrow(() -> new NotHere("no-message", ref.toString()));
    }

    List<MailingList> lists() {
        return lists.all().stream().filter(list -> !list.deleting()).toList();
    }

    Optional<MailingList> list(ListName name) {
        return lists.findActive(name);
    }

    /** A local time, for a sentence. */
    static String local(LocalDateTime time) {
        return LOCAL.format(time);
    }

    ZoneId zone() {
        return settings.zone();
    }

    OnUnknown onUnknown() {
        return mail.onUnknown();
    }

    MailClasses classes() {
        return classes;
    }

    Instant now() {
        return time.instant();
    }

    /** For what is shown by a class, and not by a template. */
    Moments moments() {
        return new Moments(settings.zone(), time.instant(), texts, LocaleContextHolder.getLocale());
    }

    /** Returns whether somebody has yet to send or schedule it. Drafts of old versions bear no mark: they are due, and paused. */
    boolean draft(Message message) {
        boolean unmarked = message.state().pauseReason().none() && message.due(now());
        return message.editable() && message.paused() && (message.state().draft() || unmarked);
    }

    /** Returns whether it is a draft that is not to wait for a day: its date means nothing. */
    boolean undated(Message message) {
        return draft(message) && message.due(now());
    }

    /** Says why a message is left as it is: the key of a sentence. */
    String refused(Message message, String reason, Model model) {
        model.addAttribute("message", message);
        model.addAttribute("reason", reason);
        return "message/refused";
    }
}
