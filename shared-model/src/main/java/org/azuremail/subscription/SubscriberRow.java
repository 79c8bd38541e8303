package org.azuremail.subscription;

import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/** A subscriber as a row. */
final class SubscriberRow {

    private SubscriberRow() {}

    static Values values(Subscriber subscriber) {
        Marks marks = subscriber.marks();
        return Values.builder()
                .put("EmailAddress", subscriber.address().value())
                .put("SubscriberGUID", subscriber.guid().value())
                .put("Verified", subscriber.verified())
                .put("State", subscriber.state().stored())
                .put("Name", unlessEmpty(subscriber.profile().name()))
                .put("Attributes", attributes(subscriber.profile().attributes()))
                .put("CreatedAt", subscriber.createdAt())
                .put("Consent", unlessEmpty(subscriber.consent().json()))
                .put("LeftAt", marks.leftAt())
                .put("Chore", marks.chore() == null ? null : marks.chore().name())
                .put("ClaimedUntil", marks.claimedUntil())
                .put("Doubts", marks.doubts() == 0 ? null : marks.doubts())
                .put("Moved", text(marks.moved()))
                .put("MovedFrom", text(marks.movedFrom()))
                .build();
    }

    static Versioned<Subscriber> subscriber(ListName list, Row row) {
        return new Versioned<>(subscriber(list, row.values()), row.etag());
    }

    static Subscriber subscriber(ListName list, Values values) {
        return new Subscriber(
                list,
                new EmailAddress(values.requireString("EmailAddress")),
                new SubscriberGuid(values.requireString("SubscriberGUID")),
                state(values),
                profile(values),
                values.requireInstant("CreatedAt"),
                new Consent(values.string("Consent", "")),
                marks(values));
    }

    /** Verified decides: where it is absent or false nobody is subscribed. */
    private static SubscriberState state(Values values) {
        boolean verified = values.bool("Verified", false);
        String stored = values.string("State");
        SubscriberState state = stored == null
                ? (verified ? SubscriberState.SUBSCRIBED : SubscriberState.UNCONFIRMED)
                : SubscriberState.of(stored);
        return state == SubscriberState.SUBSCRIBED && !verified ? SubscriberState.UNCONFIRMED : state;
    }

    private static Profile profile(Values values) {
        String attributes = values.string("Attributes");
        return new Profile(values.string("Name", ""), attributes == null ? Map.of() : Json.attributes(attributes));
    }

    private static Marks marks(Values values) {
        String chore = values.string("Chore");
        return new Marks(
                values.instant("LeftAt"),
                chore == null ? null : Marks.Chore.valueOf(chore),
                values.instant("ClaimedUntil"),
                values.integer("Doubts", 0),
                address(values.string("Moved")),
                address(values.string("MovedFrom")));
    }

    private static @Nullable String attributes(Map<String, String> attributes) {
        return attributes.isEmpty() ? null : Json.write(attributes);
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String text(@Nullable EmailAddress address) {
        return address == null ? null : address.value();
    }

    private static @Nullable EmailAddress address(@Nullable String text) {
        return text == null ? null : new EmailAddress(text);
    }
}
