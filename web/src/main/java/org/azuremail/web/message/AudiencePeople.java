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
     * @param most whether the number is an upper limit: some may be on several lists, or a segment has not been counted
     *     yet
     * @param at the time of the count; {@code null} for now
     */
    record AudienceCount(
            long people, boolean most, @Nullable Instant at) {}

    /**
     * Returns the number of people in an audience; 0 for a segment that was deleted or whose rules cannot be applied.
     */
    AudienceCount of(Audience audience) {
        List<MailingList> existing = audience.lists().stream()
                .flatMap(name -> lists.findActive(name).stream())
                .toList();
        SegmentName segment = audience.segment();
        return segment == null
                ? new AudienceCount(subscribed(existing), existing.size() > 1, null)
                : existing.stream()
                        .findFirst()
                        .flatMap(list -> segments.find(list.name(), segment).flatMap(found -> of(list, found.value())))
                        .orElse(new AudienceCount(0, false, null));
    }

    private Optional<AudienceCount> of(MailingList list, Segment segment) {
        return segments.resolve(list, segment).applicable().map(rule -> {
            SegmentPeople.SampleResult now = people.sample(list, rule);
            return now.complete()
                    ? new AudienceCount(now.subscribed(), false, null)
                    : counts.latest(segment)
                            .map(last -> new AudienceCount(last.subscribed(), false, last.at()))
                            .orElseGet(() -> new AudienceCount(subscribed(List.of(list)), true, null));
        });
    }

    private long subscribed(List<MailingList> some) {
        return subscribers.counts(some).values().stream()
                .mapToLong(SubscriberCounts::subscribed)
                .sum();
    }
}
