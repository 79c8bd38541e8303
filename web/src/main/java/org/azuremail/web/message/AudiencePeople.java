package org.azuremail.web.message;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Audience;
import org.azuremail.segment.SegmentCounts;
import org.azuremail.segment.SegmentPeople;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Counts the people who would get a message now. */
@Component
record AudiencePeople(
        ListStore lists, SubscriptionStore subscribers, Segments segments, SegmentPeople people, SegmentCounts counts) {

    /**
     * A number of people.
     *
     * @param most whether it may be fewer: some may be on several lists, or a segment has not been counted yet
     * @param at when they were counted; {@code null} for now
     */
    record Number(long people, boolean most, @Nullable Instant at) {}

    Number of(Audience audience) {
        List<MailingList> there = audience.lists().stream()
                .flatMap(name -> lists.findActive(name).stream())
                .toList();
        SegmentName segment = audience.segment();
        Optional<Segment> part = segment == null
                ? Optional.empty()
                : segments.find(audience.list(), segment).map(Versioned::value);
        return part.isPresent() && !there.isEmpty()
                ? of(there.get(0), part.get())
                : new Number(subscribed(there), there.size() > 1, null);
    }

    private Number of(MailingList list, Segment segment) {
        Optional<SegmentPeople.Found> now = segments.resolve(list, segment)
                .applicable()
                .map(rule -> people.look(list, rule))
                .filter(SegmentPeople.Found::all);
        if (now.isPresent()) {
            return new Number(now.get().subscribed(), false, null);
        }
        return counts.latest(segment)
                .map(last -> new Number(last.subscribed(), false, last.at()))
                .orElseGet(() -> new Number(subscribed(List.of(list)), true, null));
    }

    private long subscribed(List<MailingList> some) {
        return subscribers.counts(some).values().stream()
                .mapToLong(SubscriberCounts::subscribed)
                .sum();
    }
}
