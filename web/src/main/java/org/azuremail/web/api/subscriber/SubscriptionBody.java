package org.azuremail.web.api.subscriber;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.field.ListFields;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/** @param consent the proof of it; {@code null} where that is not asked for */
record SubscriptionBody(
        String list,
        String email,
        String name,
        String state,
        boolean verified,
        Map<String, String> attributes,
        Instant createdAt,
        @Nullable List<Declaration> consent) {

    static SubscriptionBody of(Subscriber subscriber, ListFields fields, @Nullable List<Declaration> consent) {
        return new SubscriptionBody(
                subscriber.list().value(),
                subscriber.address().value(),
                subscriber.profile().name(),
                word(subscriber.state()),
                subscriber.verified(),
                fields.plain(subscriber.profile().attributes()),
                subscriber.createdAt(),
                consent);
    }

    static String word(SubscriberState state) {
        return state.stored().toLowerCase(Locale.ROOT);
    }
}
