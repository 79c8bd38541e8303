package org.azuremail.segment;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.segment.PeopleFilters.PeopleFilter;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.time.Time;

/** Finds subscribers of a list who match rules. */
public record SegmentPeople(
        SubscriptionStore subscribers, PeopleFilters filters, AzureMailProperties settings, Time time) {

    /** The most subscribers that are read while a person waits. */
    public static final int MAX_READ = 8_000;

    private static final int EXAMPLES = 10;
    private static final int PAGE = 1000;

    /**
     * The people who match.
     *
     * @param people the number of matching people among those that were read
     * @param subscribed the number of them who get messages
     * @param complete whether every subscriber of the list was read
     */
    public record SampleResult(long people, long subscribed, boolean complete, List<Subscriber> examples) {}

    /** Returns the subscribers with these addresses who are still on the list. */
    public List<Subscriber> findByAddresses(MailingList list, List<String> addresses) {
        return addresses.stream()
                .flatMap(address -> subscribers.find(list, new EmailAddress(address)).stream())
                .map(Versioned::value)
                .toList();
    }

    /** Reads a limited part of each shard. */
    public SampleResult sample(MailingList list, Rule resolved) {
        return samples(list, List.of(resolved)).get(0);
    }

    /** Returns the people who match each of several rules. Subscribers are read only once. */
    public List<SampleResult> samples(MailingList list, List<Rule> resolved) {
        int maxOfAShard = Math.max(1, MAX_READ / list.shards());
        List<Matches> matches = resolved.stream()
                .map(rule -> new Matches(filters.of(rule, list, time.instant(), settings.zone())))
                .toList();
        boolean all = true;
        for (int shard = 0; shard < list.shards(); shard++) {
            String after = null;
            int left = maxOfAShard;
            do {
                Page<Subscriber> page = subscribers.shardPage(list.name(), shard, after, Math.min(PAGE, left));
                for (Matches one : matches) {
                    one.add(page.items(), shard);
                }
                left -= page.items().size();
                after = page.continuation();
            } while (after != null && left > 0);
            all &= after == null;
        }
        boolean complete = all;
        return matches.stream().map(one -> one.result(complete)).toList();
    }

    private static final class Matches {

        private final PeopleFilter filter;
        private final List<Subscriber> examples = new ArrayList<>();
        private long people;
        private long subscribed;

        Matches(PeopleFilter filter) {
            this.filter = filter;
        }

        void add(List<Subscriber> read, int shard) {
            List<Subscriber> meant = filter.of(read, shard);
            people += meant.size();
            subscribed += meant.stream().filter(Subscriber::verified).count();
            meant.stream().limit(EXAMPLES - examples.size()).forEach(examples::add);
        }

        SampleResult result(boolean complete) {
            return new SampleResult(people, subscribed, complete, examples);
        }
    }
}
