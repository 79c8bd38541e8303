package org.azuremail.feedback;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.feedback.MailHandles.MailHandle;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;

/**
 * Finds the email of this service that a message is about, by something that only its recipient has seen: a handle, or
 * a Message-ID together with the address. Safe for use from many threads and processes.
 */
public record EmailFinder(
        MailHandles handles, MessageStore messages, DeliveryStore deliveries, RecipientSearch search) {

    private static final Pattern MESSAGE_ID = Pattern.compile("<(" + ListMail.MESSAGE_ID + ")@");

    /** The most Message-IDs of a text that are looked up; a long conversation contains many. */
    private static final int MAX_IDS = 10;

    /** Finds the recipient of the email with this handle, in two calls, or three while its outcome is not recorded. */
    public Optional<Recipient> recipient(String handle) {
        return handles.read(handle).flatMap(email -> deliveries
                .range(email.range())
                .map(Versioned::value)
                .flatMap(range -> Stream.concat(
                                deliveries.recorded(range).values().stream().map(RecordedOutcome::recipient),
                                Stream.of(range).flatMap(existing -> deliveries.waiting(existing).stream()
                                        .map(EmailRow::recipient)))
                        .filter(one -> handles.recipient(email.range().shard().ref(), Recipient.rowKey(one.address()))
                                == email.recipient())
                        .findFirst()));
    }

    /** Finds the email with one of these Message-IDs if it was sent to this address. */
    public Optional<SentEmail> findSent(String messageIds, EmailAddress address) {
        return MESSAGE_ID
                .matcher(messageIds)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .limit(MAX_IDS)
                .flatMap(id -> MessageRef.parse(id.substring(id.indexOf('.') + 1))
                        .flatMap(messages::find)
                        .flatMap(message -> findSent(message, address, id))
                        .stream())
                .findFirst();
    }

    /** An email that this service sent. */
    public record SentEmail(Message message, ShardKey shard, RecordedOutcome recorded) {

        public Recipient recipient() {
            return recorded.recipient();
        }
    }

    private Optional<SentEmail> findSent(Message message, EmailAddress address, String id) {
        return search.shardOf(message, address)
                .map(shard -> new ShardKey(message.ref(), shard))
                .flatMap(shard -> deliveries
                        .outcome(shard, Recipient.rowKey(address))
                        .filter(recorded -> isOf(recorded, message, id))
                        .map(recorded -> new SentEmail(message, shard, recorded)));
    }

    private static boolean isOf(RecordedOutcome recorded, Message message, String id) {
        Recipient recipient = recorded.recipient();
        String own = ListMail.messageIdName(
                recipient.list(), message.ref().toString(), recipient.address(), recipient.guid());
        return own.equals(id);
    }

    Optional<MailHandle> byMessageId(String messageIds, EmailAddress address) {
        return findSent(messageIds, address).flatMap(found -> handle(found.shard(), found.recorded()));
    }

    private Optional<MailHandle> handle(ShardKey shard, RecordedOutcome recorded) {
        long fingerprint = handles.recipient(shard.ref(), recorded.rowKey());
        return deliveries.controls(shard).ranges().stream()
                .map(Versioned::value)
                .filter(range -> range.covers(recorded.rowKey()))
                .map(Range::key)
                .findFirst()
                .map(range -> new MailHandle(range, recorded.generation(), fingerprint));
    }
}
