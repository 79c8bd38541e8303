package org.azuremail.web.api.subscriber;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.field.ListFields;
import org.azuremail.reason.Reason;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/** @param consent the proof of consent; {@code null} in answers without it */
record SubscriptionBody(
        String list,
        String email,
        String name,
        String state,
        boolean verified,
        Map<String, String> attributes,
        Instant createdAt,
        @Nullable List<ConsentBody> consent) {

    /** @param detail a description in words; {@code reasonCode} is its code if it is a reason */
    record ConsentBody(
            Declaration.Kind kind,
            Instant at,
            Origin.Channel how,
            String by,
            @Nullable String ip,
            @Nullable String detail,
            @Nullable String reasonCode) {

        static ConsentBody of(Declaration one) {
            Reason reason = one.reason();
            return new ConsentBody(
                    one.kind(),
                    one.at(),
                    one.how(),
                    one.by(),
                    one.ip(),
                    one.detailText(),
                    reason.none() ? null : reason.code());
        }
    }

    static SubscriptionBody of(Subscriber subscriber, ListFields fields, @Nullable List<Declaration> consent) {
        return new SubscriptionBody(
                subscriber.list().value(),
                subscriber.address().value(),
                subscriber.profile().name(),
                word(subscriber.state()),
                subscriber.verified(),
                fields.plain(subscriber.profile().attributes()),
                subscriber.createdAt(),
                consent == null ? null : consent.stream().map(ConsentBody::of).toList());
    }

    static String word(SubscriberState state) {
        return state.stored().toLowerCase(Locale.ROOT);
    }
}
