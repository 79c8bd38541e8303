package org.azuremail.sender;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Makes mails of e-mail rows. What all mails of a message share is read and parsed once, and kept for a short while. */
class LotMaker {

    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final int MOST_KEPT = 32;

    private final MessageBlobs blobs;
    private final ListStore lists;
    private final URI publicUrl;
    private final Time time;
    private final Map<ContentKey, Content> kept = new LinkedHashMap<>();

    LotMaker(MessageBlobs blobs, ListStore lists, URI publicUrl, Time time) {
        this.blobs = blobs;
        this.lists = lists;
        this.publicUrl = publicUrl;
        this.time = time;
    }

    private record ContentKey(MessageRef ref, int revision, String subject) {}

    private record Content(MailContent content, ListIdentity list, Instant until) {}

    /**
     * The lot of these rows.
     *
     * @throws BodyMissing when the message has no body
     */
    MailLot lot(Message message, List<WaitingRow> rows) {
        Content content = content(message);
        List<Mail> mails = new ArrayList<>(rows.size());
        for (WaitingRow row : rows) {
            Recipient to = row.recipient();
            mails.add(ListMail.mail(
                    content.list(),
                    publicUrl,
                    message.ref().toString(),
                    to.address(),
                    to.name(),
                    to.guid(),
                    to.attributes()));
        }
        return new MailLot(content.content(), mails);
    }

    /**
     * The message as it would go to this address, with made-up values.
     *
     * @throws BodyMissing when the message has no body
     */
    MailLot testLot(Message message, EmailAddress to) {
        Content content = content(message);
        Set<String> attributes = lists.find(message.list())
                .map(list -> (Set<String>) list.value().attributes())
                .orElse(Set.of());
        String key = message.ref() + "-test";
        return new MailLot(
                ListMail.test(content.content()),
                List.of(ListMail.sample(content.list(), publicUrl, key, to, attributes)));
    }

    /** Two who ask for the same at the same time may both read it: nobody waits for another's storage call. */
    private Content content(Message message) {
        ContentKey key = new ContentKey(message.ref(), message.revision(), message.subject());
        Instant now = time.instant();
        Content known = known(key, now);
        if (known != null) {
            return known;
        }
        Content read = read(message, now.plus(KEPT));
        keep(key, read);
        return read;
    }

    private synchronized @Nullable Content known(ContentKey key, Instant now) {
        Content content = kept.get(key);
        return content == null || content.until().isBefore(now) ? null : content;
    }

    private synchronized void keep(ContentKey key, Content content) {
        kept.remove(key);
        kept.put(key, content);
        if (kept.size() > MOST_KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    private Content read(Message message, Instant until) {
        MessageBlobs.Bodies bodies = blobs.read(message.ref(), message.revision())
                .orElseThrow(() -> new BodyMissing(MessageBlobs.htmlName(message.ref(), message.revision())));
        ListIdentity list = identity(message.list());
        MailContent content = ListMail.content(
                message.ref() + "." + message.revision(),
                list,
                message.subject(),
                bodies.html(),
                bodies.text(),
                publicUrl);
        return new Content(content, list, until);
    }

    private ListIdentity identity(ListName name) {
        return lists.find(name)
                .map(list -> ListIdentity.of(list.value()))
                .orElseThrow(() -> new IllegalStateException("list " + name + " is gone"));
    }
}
