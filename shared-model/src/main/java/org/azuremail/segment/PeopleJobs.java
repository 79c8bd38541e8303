package org.azuremail.segment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.subscription.store.SubscriptionStore;
import org.jspecify.annotations.Nullable;

/** The parameters of jobs about the people of a list, or of one of its segments. */
public final class PeopleJobs {

    public static final String SEGMENT = "segment";

    /** The segment's rules when the job began, as they were saved. */
    public static final String SAVED = "saved";

    /** The same without a reference to another segment: whom the job means. */
    public static final String RULES = "rules";

    private final Segments segments;
    private final SubscriptionStore subscribers;

    public PeopleJobs(Segments segments, SubscriptionStore subscribers) {
        this.segments = segments;
        this.subscribers = subscribers;
    }

    /**
     * The parameters of a job.
     *
     * @param segment {@code null} for everybody
     * @return empty when the segment's rules cannot be applied now
     */
    public Optional<Map<String, String>> about(MailingList list, @Nullable Segment segment) {
        if (segment == null) {
            return Optional.of(everybody(list));
        }
        return segments.resolve(list, segment).applicable().map(rule -> {
            Map<String, String> about = about(list, rule);
            about.put(SEGMENT, segment.name().value());
            about.put(SAVED, segment.rules());
            return about;
        });
    }

    /** The parameters of a job about the people whom rules mean that no segment has. */
    Map<String, String> about(MailingList list, Rule resolved) {
        Map<String, String> about = everybody(list);
        about.put(RULES, RuleJson.text(resolved));
        return about;
    }

    private Map<String, String> everybody(MailingList list) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put(SetJobs.LIST, list.name().value());
        about.put(SetJobs.PEOPLE, Long.toString(subscribers.counts(list).total()));
        return about;
    }
}
