package org.azuremail.subscription.store;

import java.time.Instant;
import java.util.Map;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.ColumnJson;
import org.azuremail.subscription.subscriber.Consent;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/** Converts subscribers to rows and back. */
public final class SubscriberRow {

    private SubscriberRow() {}

    public static Values values(Subscriber subscriber) {
        Bookkeeping bookkeeping = subscriber.bookkeeping();
        SubscriberState arrivesAs = bookkeeping.targetState();
        return Values.builder()
                .put("EmailAddress", subscriber.address().value())
                .put("SubscriberGUID", subscriber.guid().value())
                .put("Verified", subscriber.verified())
                .put("State", subscriber.state().stored())
                .put("Name", unlessEmpty(subscriber.profile().name()))
                .put("Attributes", attributes(subscriber.profile().attributes()))
                .put("CreatedAt", subscriber.createdAt())
                .put("Consent", unlessEmpty(subscriber.consent().json()))
                .put("LeftAt", bookkeeping.leftAt())
                .put(
                        "Chore",
                        bookkeeping.chore() == null ? null : bookkeeping.chore().name())
                .put(
                        "ClaimedUntil",
                        bookkeeping.claim() == null ? null : bookkeeping.claim().until())
                .put(
                        "Doubts",
                        bookkeeping.claim() == null ? null : bookkeeping.claim().doubts())
                .put("MovedTo", address(bookkeeping.movedTo()))
                .put("MovedToList", otherList(subscriber, bookkeeping.movedTo()))
                .put("MovedFrom", address(bookkeeping.movedFrom()))
                .put("MovedFromList", otherList(subscriber, bookkeeping.movedFrom()))
                .put("ArrivesAs", arrivesAs == null ? null : arrivesAs.stored())
                .put("ArrivedAt", bookkeeping.arrivedAt())
                .put("Episode", bookkeeping.episode() == 0 ? null : bookkeeping.episode())
                .put("Indexed", bookkeeping.index().stored())
                .build();
    }

    public static Versioned<Subscriber> subscriber(ListName list, Row row) {
        return new Versioned<>(subscriber(list, row.values()), row.etag());
    }

    public static Subscriber subscriber(ListName list, Values values) {
        return new Subscriber(
                list,
                new EmailAddress(values.requireString("EmailAddress")),
                new SubscriberGuid(values.requireString("SubscriberGUID")),
                state(values),
                profile(values),
                values.requireInstant("CreatedAt"),
                new Consent(values.string("Consent", "")),
                bookkeeping(list, values));
    }

    /** Returns the state; nobody is Subscribed unless Verified is true. */
    static SubscriberState state(Values values) {
        boolean verified = values.bool("Verified", false);
        String stored = values.string("State");
        SubscriberState state = stored == null
                ? (verified ? SubscriberState.SUBSCRIBED : SubscriberState.UNCONFIRMED)
                : SubscriberState.of(stored);
        return state == SubscriberState.SUBSCRIBED && !verified ? SubscriberState.UNCONFIRMED : state;
    }

    private static Profile profile(Values values) {
        String attributes = values.string("Attributes");
        return new Profile(
                values.string("Name", ""), attributes == null ? Map.of() : ColumnJson.attributes(attributes));
    }

    private static Bookkeeping bookkeeping(ListName list, Values values) {
        String chore = values.string("Chore");
        return new Bookkeeping(
                values.instant("LeftAt"),
                chore == null ? null : Bookkeeping.Chore.valueOf(chore),
                claim(values),
                move(list, values),
                values.integer("Episode", 0),
                IndexMark.read(values.string("Indexed")));
    }

    private static Bookkeeping.@Nullable Claim claim(Values values) {
        Instant until = values.instant("ClaimedUntil");
        int doubts = values.integer("Doubts", 0);
        return until == null && doubts == 0 ? null : new Bookkeeping.Claim(until, doubts);
    }

    private static Bookkeeping.@Nullable Move move(ListName list, Values values) {
        Membership to = membership(list, values.string("MovedTo"), values.string("MovedToList"));
        Membership from = membership(list, values.string("MovedFrom"), values.string("MovedFromList"));
        String arrivesAs = values.string("ArrivesAs");
        return to == null && from == null
                ? null
                : new Bookkeeping.Move(
                        to,
                        from,
                        arrivesAs == null ? null : SubscriberState.of(arrivesAs),
                        values.instant("ArrivedAt"));
    }

    private static @Nullable String attributes(Map<String, String> attributes) {
        return attributes.isEmpty() ? null : ColumnJson.write(attributes);
    }

    private static @Nullable String unlessEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable String address(@Nullable Membership membership) {
        return membership == null ? null : membership.address().value();
    }

    /** Returns the name of another list; {@code null} for the row's own list, as in rows of older versions. */
    private static @Nullable String otherList(Subscriber subscriber, @Nullable Membership membership) {
        return membership == null || membership.list().equals(subscriber.list())
                ? null
                : membership.list().value();
    }

    private static @Nullable Membership membership(ListName own, @Nullable String address, @Nullable String list) {
        return address == null
                ? null
                : new Membership(list == null ? own : new ListName(list), new EmailAddress(address));
    }
}
