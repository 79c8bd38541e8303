package org.azuremail.web.message;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.message.Audience;
import org.azuremail.segment.Rule;
import org.azuremail.segment.Rule.Combinator;
import org.azuremail.segment.Rule.Group;
import org.azuremail.segment.Rule.Op;
import org.azuremail.segment.Rule.Operand;
import org.azuremail.segment.Rule.Test;
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

    /**
     * Returns the number of people in an audience who have no value for a field, for each of some fields. A number is
     * empty if it is too much to count while a person waits.
     */
    SortedMap<String, OptionalLong> withoutValues(Audience audience, Set<String> fields) {
        SortedMap<String, OptionalLong> numbers = new TreeMap<>();
        fields.forEach(field -> numbers.put(field, OptionalLong.empty()));
        Optional<MailingList> list =
                audience.lists().size() == 1 ? lists.findActive(audience.list()) : Optional.empty();
        if (fields.isEmpty() || list.isEmpty() || !isSmall(list.get())) {
            return numbers;
        }
        Map<String, Rule> rules = new TreeMap<>();
        for (String field : fields) {
            Operand operand = field.equals("name") ? Operand.NAME : Operand.FIELD;
            List<Rule> both =
                    new ArrayList<>(List.of(new Test(operand, operand == Operand.NAME ? "" : field, Op.IS_EMPTY, "")));
            Optional.ofNullable(audience.segment())
                    .ifPresent(segment -> both.add(new Test(Operand.SEGMENT, "", Op.IN, segment.value())));
            segments.resolve(list.get(), null, new Group(Combinator.ALL, both))
                    .applicable()
                    .ifPresent(rule -> rules.put(field, rule));
        }
        List<SegmentPeople.SampleResult> found = people.samples(list.get(), List.copyOf(rules.values()));
        int next = 0;
        for (String field : rules.keySet()) {
            SegmentPeople.SampleResult one = found.get(next++);
            numbers.put(field, one.complete() ? OptionalLong.of(one.subscribed()) : OptionalLong.empty());
        }
        return numbers;
    }

    private boolean isSmall(MailingList list) {
        return subscribers.counts(list).total() <= SegmentPeople.MAX_READ;
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
