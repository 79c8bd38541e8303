package org.azuremail.web.api.list;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.jspecify.annotations.Nullable;

/**
 * @param perMinute the most emails of the list's messages in any minute; 0 means no limit, also in {@code perHour}
 * @param counts the subscribers by state; {@code null} in listings
 */
record ListBody(
        String name,
        String description,
        String fromEmail,
        String fromName,
        @Nullable String replyTo,
        @Nullable String transport,
        String optIn,
        @Nullable String plan,
        int perMinute,
        int perHour,
        @Nullable String color,
        @Nullable String logo,
        @Nullable String address,
        boolean welcome,
        boolean listed,
        String language,
        Set<String> attributes,
        Instant createdAt,
        boolean deleting,
        @Nullable Map<String, Long> counts) {

    static ListBody of(MailingList list, @Nullable SubscriberCounts counts) {
        EmailAddress replyTo = list.replyTo();
        return new ListBody(
                list.name().value(),
                list.description(),
                list.fromEmail().value(),
                list.fromName(),
                replyTo == null ? null : replyTo.value(),
                list.transport(),
                list.optIn().stored(),
                list.plan() == null ? null : list.plan().stored(),
                list.limits().perMinute(),
                list.limits().perHour(),
                list.brand().color(),
                list.brand().logo() == null ? null : "/logo/" + list.brand().logo(),
                list.brand().address(),
                list.welcome(),
                list.brand().listed(),
                list.language(),
                list.attributes(),
                list.createdAt(),
                list.deleting(),
                counts == null ? null : byState(counts));
    }

    private static Map<String, Long> byState(SubscriberCounts counts) {
        Map<String, Long> byState = new TreeMap<>();
        counts.byState().forEach((state, count) -> byState.put(state.stored().toLowerCase(Locale.ROOT), count));
        byState.put("moved", counts.moved());
        byState.put("total", counts.total());
        return byState;
    }
}
