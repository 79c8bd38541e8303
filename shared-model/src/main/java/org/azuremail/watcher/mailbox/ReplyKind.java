package org.azuremail.watcher.mailbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.ForwardedReply;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.sending.SecretBox;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.watcher.Watcher;
import org.azuremail.work.queue.WorkQueues;

/**
 * Reads a mailbox for replies. A person who asks to unsubscribe is unsubscribed if the email proves the sender's
 * identity: by the handle of an email of this installation in its address, or by the Message-ID of an email that was
 * sent to this very address. A sender's address alone proves nothing. Other emails that people write are forwarded;
 * automatic emails are not.
 */
final class ReplyKind extends MailboxKind {

    /** The longest subject; the text is limited too, because both are part of a work item. */
    private static final int MAX_SUBJECT = 500;

    /** The most installations that may forward an email to each other. */
    private static final int MAX_FORWARDERS = 4;

    private final Parts parts;
    private final String loop;

    record Parts(
            EmailFinder emails,
            UnsubscribeProperties addresses,
            FeedbackProperties bounces,
            Subscriptions subscriptions,
            ListStore lists,
            ForwardedReplies forwarded,
            WorkQueues work,
            AzureMailProperties process) {}

    ReplyKind(MailboxConnector connector, IdleMailboxes idleMailboxes, SecretBox secrets, Parts parts) {
        super(connector, idleMailboxes, secrets);
        parts.addresses().requireDifferentFrom(parts.bounces());
        this.parts = parts;
        this.loop = String.valueOf(parts.process().publicUrl().getRawAuthority());
    }

    @Override
    public String name() {
        return "replies";
    }

    @Override
    public Map<String, String> defaults() {
        Map<String, String> defaults = new HashMap<>(super.defaults());
        defaults.put("list", "");
        defaults.put("forwardTo", "");
        return defaults;
    }

    @Override
    public Map<String, String> faults(Map<String, String> settings) {
        Map<String, String> faults = new HashMap<>(super.faults(settings));
        if (list(settings).isEmpty()) {
            faults.put("list", "feed-list");
        }
        if (settings.getOrDefault("protocol", "").equals("pop3")
                || settings.getOrDefault("done", "").equals("delete")) {
            faults.putIfAbsent("done", "mailbox-replies-move");
        }
        String mailbox = settings.getOrDefault("username", "").strip();
        String to = settings.getOrDefault("forwardTo", "");
        if (!to.isEmpty() && (EmailAddress.parse(to).isEmpty() || to.equalsIgnoreCase(mailbox))) {
            faults.put("forwardTo", "mailbox-forward-to");
        }
        if (to.isEmpty() && list(settings).stream().anyMatch(list -> leadsBack(list, mailbox))) {
            faults.put("forwardTo", "mailbox-forward-to-missing");
        }
        return faults;
    }

    /**
     * Returns whether emails to the list's address arrive in this mailbox, because replies go to the From address if
     * the list has no reply address.
     */
    private static boolean leadsBack(MailingList list, String mailbox) {
        return list.replyTo() == null || list.replyTo().value().equalsIgnoreCase(mailbox);
    }

    private Optional<MailingList> list(Map<String, String> settings) {
        return ListName.parse(settings.getOrDefault("list", ""))
                .flatMap(parts.lists()::find)
                .map(Versioned::value);
    }

    @Override
    Effect take(Watcher watcher, byte[] message) {
        ReceivedEmail email = ReceivedEmail.parse(message).orElse(null);
        if (email == null || email.autoReply()) {
            return Effect.NONE;
        }
        Optional<String> handle = parts.addresses()
                .handleIn(email.headers("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"));
        if (handle.isPresent()) {
            return parts.emails().recipient(handle.get()).map(this::unsubscribe).orElse(Effect.NONE);
        }
        List<String> forwarders = email.forwarders();
        if (forwarders.contains(loop) || forwarders.size() > MAX_FORWARDERS) {
            return Effect.LOOPED;
        }
        Optional<Recipient> asker = findRequester(watcher, email);
        if (asker.isPresent()) {
            return unsubscribe(asker.get());
        }
        return email.automatic() ? Effect.NONE : forward(watcher, email);
    }

    /**
     * Returns the person who asks to unsubscribe, if an email of this installation was sent to the sender. A reply that
     * only repeats that email's subject asks for nothing.
     */
    private Optional<Recipient> findRequester(Watcher watcher, ReceivedEmail email) {
        String subject = email.subject();
        String list = watcher.settings().getOrDefault("list", "");
        boolean inText = UnsubscribePhrases.requestsUnsubscribe(email.firstLine(), list);
        if (!inText && !UnsubscribePhrases.requestsUnsubscribe(subject, list)) {
            return Optional.empty();
        }
        return email.from()
                .flatMap(from -> parts.emails().findSent(email.headers("In-Reply-To", "References"), from))
                .filter(sent -> inText
                        || !UnsubscribePhrases.equalsIgnoringCourtesies(
                                subject, sent.message().subject()))
                .map(EmailFinder.SentEmail::recipient);
    }

    /** Unsubscribes the person, as the link in the email would. */
    private Effect unsubscribe(Recipient recipient) {
        parts.subscriptions().leave(recipient.list(), recipient.guid(), Origin.oneClick(null));
        return Effect.LEFT;
    }

    private Effect forward(Watcher watcher, ReceivedEmail email) {
        Optional<MailingList> list = list(watcher.settings());
        Optional<EmailAddress> from = email.from();
        if (list.isEmpty()) {
            return Effect.LISTLESS;
        }
        String key = key(email);
        if (!parts.forwarded().wasForwarded(watcher.name(), key)) {
            String subject = email.subject();
            parts.work()
                    .put(TestMail.forwarding(new ForwardedReply(
                            watcher.name(),
                            key,
                            list.get().name().value(),
                            to(watcher, list.get()).value(),
                            email.fromName(),
                            from.map(EmailAddress::value).orElse(""),
                            Reason.truncate(subject, MAX_SUBJECT),
                            text(email),
                            email.forwarders())));
        }
        return Effect.FORWARDED;
    }

    private static EmailAddress to(Watcher watcher, MailingList list) {
        return EmailAddress.parse(watcher.settings().getOrDefault("forwardTo", ""))
                .orElse(Objects.requireNonNullElse(list.replyTo(), list.from().address()));
    }

    /**
     * Returns the text to forward. Transports carry no attachments, so these stay in the mailbox, and the email says
     * so.
     */
    private static String text(ReceivedEmail email) {
        return email.attachments().isEmpty()
                ? email.text()
                : email.text() + "\n\n"
                        + Reason.of(MailboxReason.REPLY_ATTACHMENTS, String.join(", ", email.attachments()))
                                .words();
    }

    private static String key(ReceivedEmail email) {
        return DigestUtils.sha256Hex(email.headers("Message-ID", "From", "Date", "Subject") + email.text())
                .substring(0, 32);
    }

    @Override
    Reason result(Map<Effect, Integer> counts) {
        return Reason.of(
                MailboxReason.MAILBOX_REPLIES,
                counts.getOrDefault(Effect.LEFT, 0),
                counts.getOrDefault(Effect.FORWARDED, 0),
                counts.getOrDefault(Effect.NONE, 0));
    }
}
