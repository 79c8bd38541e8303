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
public record PeopleJobParameters(Segments segments, SubscriptionStore subscribers) {

    public static final String SEGMENT = "segment";

    /** The segment's saved rules at the beginning of the job. */
    public static final String SAVED = "saved";

    /** These rules without references to other segments, which the job applies. */
    public static final String RULES = "rules";

    /**
     * Returns the parameters of a job.
     *
     * @param segment {@code null} for the whole list
     * @return empty if the segment's rules cannot be applied now
     */
    public Optional<Map<String, String>> about(MailingList list, @Nullable Segment segment) {
        if (segment == null) {
            return Optional.of(all(list));
        }
        return segments.resolve(list, segment).applicable().map(rule -> {
            Map<String, String> about = about(list, rule);
            about.put(SEGMENT, segment.name().value());
            about.put(SAVED, segment.rules());
            return about;
        });
    }

    /** Returns the parameters of a job about the people who match unsaved rules. */
    Map<String, String> about(MailingList list, Rule resolved) {
        Map<String, String> about = all(list);
        about.put(RULES, RuleJson.text(resolved));
        return about;
    }

    private Map<String, String> all(MailingList list) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put(SetJobs.LIST, list.name().value());
        about.put(SetJobs.PEOPLE, Long.toString(subscribers.counts(list).total()));
        return about;
    }
}
