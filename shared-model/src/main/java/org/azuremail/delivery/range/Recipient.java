package org.azuremail.delivery.range;

import java.time.Instant;
import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Values;
import org.azuremail.subscription.subscriber.ColumnJson;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/**
 * An email row: one recipient of one message who has no outcome yet. It contains everything that one email needs
 * besides the message row. Its subject is only for information, because the message row's subject is used.
 *
 * @param list the list as whose subscriber the person gets the email: it determines the sender and the links, and
 *     unsubscribing from it counts
 * @param generation of the message when the row was written
 * @param tries how often the provider asked to try later
 * @param delay when it may be tried again, if it has to wait, and the reason; none if the provider asked for it without
 *     giving one
 */
public record Recipient(
        ListName list,
        EmailAddress address,
        String name,
        SubscriberGuid guid,
        Map<String, String> attributes,
        int generation,
        int tries,
        Range.Delay delay) {

    static final String PREFIX = "email:";

    public Recipient {
        attributes = Map.copyOf(attributes);
    }

    /**
     * Returns the row key of an address, the same in {@code mailinglist}, {@code message} and {@code messagearchive}.
     */
    public static String rowKey(EmailAddress address) {
        return PREFIX + KeyEscaper.escape(address.folded());
    }

    public String rowKey() {
        return rowKey(address);
    }

    public static String foldedAddress(String rowKey) {
        return KeyEscaper.unescape(rowKey.substring(PREFIX.length()));
    }

    public boolean waitsAt(Instant now) {
        return delay.notBefore() != null && delay.notBefore().isAfter(now);
    }

    public @Nullable Instant notBefore() {
        return delay.notBefore();
    }

    /** Returns the reason why the recipient waits for another try; none if it does not wait. */
    public Reason waitsFor() {
        return delay.notBefore() != null && delay.reason().none() ? Reason.of(ReasonCode.PUT_OFF) : delay.reason();
    }

    /** Returns whether the provider asked for the delay. */
    public boolean putOff() {
        return delay.reason().none() || delay.reason().is(ReasonCode.PUT_OFF_SAYING);
    }

    public Recipient inGeneration(int next) {
        return new Recipient(list, address, name, guid, attributes, next, 0, Range.Delay.NONE);
    }

    static Recipient from(Values v) {
        return new Recipient(
                new ListName(v.requireString("ListName")),
                new EmailAddress(v.requireString("EmailAddress")),
                v.string("Name", ""),
                new SubscriberGuid(v.requireString("SubscriberGUID")),
                attributes(v.string("Attributes")),
                v.integer("Generation", 0),
                v.integer("Tries", 0),
                new Range.Delay(v.instant("NotBefore"), Reason.read(v.string("Note"))));
    }

    private static Map<String, String> attributes(@Nullable String json) {
        return json == null || json.isEmpty() ? Map.of() : ColumnJson.attributes(json);
    }

    public Values toValues(Message message, String fromEmail) {
        return Values.builder()
                .put("MessageRef", message.ref().value())
                .put("ScheduledDate", message.scheduledDate())
                .put("SubjectLine", message.subject())
                .put("ListName", list.value())
                .put("FromEmailAddress", fromEmail)
                .put("EmailAddress", address.value())
                .put("SubscriberGUID", guid.value())
                .put("EmailSent", false)
                .put("Name", name.isEmpty() ? null : name)
                .put("Attributes", attributes.isEmpty() ? null : ColumnJson.write(attributes))
                .put("Generation", generation)
                .build();
    }
}
