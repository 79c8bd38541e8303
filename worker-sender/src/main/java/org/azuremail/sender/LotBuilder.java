package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.azuremail.feedback.MailHandles;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.template.Templates;
import org.azuremail.time.ExpiringCache;
import org.azuremail.time.Time;

/**
 * Makes lots of emails from email rows. The parts that all emails of a message share are read and parsed once, and
 * cached for a short time.
 */
class LotBuilder {

    private static final Duration CACHE_TTL = Duration.ofSeconds(30);
    private static final int MAX_CACHED = 32;

    private final MessageBlobs blobs;
    private final ListStore lists;
    private final Templates templates;
    private final AzureMailProperties settings;
    private final MailHandles handles;
    private final FeedbackProperties feedback;
    private final UnsubscribeProperties leaving;
    private final ListLimits limits;
    private final ExpiringCache<ContentKey, Content> cache;

    LotBuilder(
            MessageBlobs blobs,
            ListStore lists,
            Templates templates,
            AzureMailProperties settings,
            MailHandles handles,
            FeedbackProperties feedback,
            UnsubscribeProperties leaving,
            ListLimits limits,
            Time time) {
        this.blobs = blobs;
        this.lists = lists;
        this.templates = templates;
        this.settings = settings;
        this.handles = handles;
        this.feedback = feedback;
        this.leaving = leaving;
        this.limits = limits;
        this.cache = new ExpiringCache<>(CACHE_TTL, MAX_CACHED, time);
    }

    private record ContentKey(MessageRef ref, ListName list, int revision, String subject) {}

    private record Content(MailContent content, ListIdentity list) {}

    /** Thrown when the message's body is not in the blob storage. Nothing can be sent until an admin repairs that. */
    static final class BodyMissing extends RuntimeException {

        private BodyMissing(String blob) {
            super(blob, null, false, false);
        }
    }

    /**
     * Returns the lot of these rows, which all belong to one list.
     *
     * @throws BodyMissing when the message has no body
     */
    MailLot lot(Message message, RangeKey range, List<EmailRow> rows) {
        Content content = content(message, rows.get(0).recipient().list());
        List<Mail> mails = new ArrayList<>(rows.size());
        MailHandles.Writer writer = handles.writer(range);
        for (EmailRow row : rows) {
            Recipient to = row.recipient();
            String handle = writer.write(to.generation(), row.rowKey());
            Mail mail = ListMail.mail(
                            content.list(),
                            settings.publicUrl(),
                            message.ref().toString(),
                            to.address(),
                            to.name(),
                            to.guid(),
                            to.attributes())
                    .named(handle, feedback.returnPath(handle));
            mails.add(leaving.unsubscribeAddress() == null ? mail : mail.with(ListMail.HANDLE, handle));
        }
        return new MailLot(content.content(), mails);
    }

    /**
     * Returns the message as it would be sent to this address, with sample values.
     *
     * @throws BodyMissing when the message has no body
     */
    MailLot testLot(Message message, EmailAddress to) {
        Content content = content(message, message.list());
        Set<String> attributes = lists.findValue(message.list())
                .<Set<String>>map(MailingList::attributes)
                .orElse(Set.of());
        String key = message.ref() + "-test";
        return new MailLot(
                ListMail.test(content.content()),
                List.of(ListMail.sample(content.list(), settings.publicUrl(), key, to, attributes)));
    }

    private Content content(Message message, ListName list) {
        ContentKey key = new ContentKey(message.ref(), list, message.content().revision(), message.subject());
        return cache.get(key, unread -> read(message, list));
    }

    private Content read(Message message, ListName name) {
        MessageBlobs.Bodies bodies = blobs.read(message.ref(), message.content().revision())
                .orElseThrow(() -> new BodyMissing(
                        MessageBlobs.htmlName(message.ref(), message.content().revision())));
        MailingList row =
                lists.findValue(name).orElseThrow(() -> new IllegalStateException("list " + name + " is gone"));
        limits.adopt(row);
        ListIdentity list = ListIdentity.of(row);
        MailContent content = ListMail.content(
                message.ref() + "." + message.content().revision(),
                list,
                message.subject(),
                bodies.html(),
                bodies.text(),
                settings.publicUrl(),
                templates.of(name));
        String address = leaving.unsubscribeAddress();
        MailContent whole = address == null ? content : ListMail.withMailtoUnsubscribe(content, address);
        return new Content(whole, list);
    }
}
