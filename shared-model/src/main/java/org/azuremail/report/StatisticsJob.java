package org.azuremail.report;

import java.io.IOException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.blobset.BlobSet.Element;
import org.azuremail.blobset.SetJob;
import org.azuremail.blobset.SetJobs;
import org.azuremail.list.ListName;
import org.azuremail.list.SegmentName;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.segment.PeopleFilters.PeopleFilter;
import org.azuremail.segment.PeopleJobParameters;
import org.azuremail.segment.SegmentCounts;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * Counts the people of a list or a segment, shard by shard, and saves the number of a segment's people for its pages.
 */
record StatisticsJob(PeopleWalk walk, SegmentCounts counts) implements PeopleJob<ListStatistics> {

    private static final int MAX_PAGES = 20;

    @Override
    public String name() {
        return SegmentCounts.JOB;
    }

    @Override
    public TextCodec<ListStatistics> results() {
        return ListStatistics.FORM;
    }

    @Override
    public Step<ListStatistics> work(SetJob.Piece piece, List<Element<ListPart>> values, @Nullable ListStatistics soFar)
            throws SetJob.Failure, IOException {
        ListPart part = values.get(0).value();
        StatisticsCounter count =
                new StatisticsCounter(walk.zone(), piece.about().containsKey(PeopleJobParameters.RULES));
        PeopleWalk.WalkProgress walked = walk.walk(piece, walk.require(part.list()), part.shard(), people -> {
            people.forEach(count::add);
            count.pages++;
            return count.pages < MAX_PAGES;
        });
        ListStatistics sum = soFar == null ? count.sum() : soFar.plus(count.sum());
        return new Step<>(sum, walked.next(), walked.read());
    }

    @Override
    public ListStatistics reduce(ListStatistics one, ListStatistics other) {
        return one.plus(other);
    }

    @Override
    public void done(End<ListStatistics> end) {
        String segment = end.about().get(PeopleJobParameters.SEGMENT);
        if (segment != null) {
            ListStatistics found = end.result().orElse(ListStatistics.NONE);
            counts.saveCount(
                    new ListName(end.about().getOrDefault(SetJobs.LIST, "")),
                    new SegmentName(segment),
                    new SegmentCounts.SegmentCount(found.people(), found.subscribed(), end.startedAt(), true),
                    end.about().getOrDefault(PeopleJobParameters.SAVED, ""));
        }
    }

    private static final class StatisticsCounter {

        private final ZoneId zone;
        private final TreeMap<String, Long> states = new TreeMap<>();
        private final TreeMap<String, Long> sources = new TreeMap<>();
        private final TreeMap<String, Long> domains = new TreeMap<>();
        private final TreeMap<String, Long> joined = new TreeMap<>();
        private final TreeMap<String, Long> left = new TreeMap<>();
        private long people;
        private long subscribed;
        private final List<String> examples = new ArrayList<>();
        private final boolean ofRules;
        private int pages;

        StatisticsCounter(ZoneId zone, boolean ofRules) {
            this.zone = zone;
            this.ofRules = ofRules;
        }

        void add(Subscriber person) {
            people++;
            subscribed += person.verified() ? 1 : 0;
            if (ofRules && examples.size() < ListStatistics.MAX_EXAMPLES) {
                examples.add(person.address().value());
            }
            increment(states, person.state().stored());
            increment(sources, PeopleFilter.source(person));
            increment(domains, person.address().domain());
            increment(joined, month(person.createdAt()));
            Instant leftAt = person.bookkeeping().leftAt();
            if (leftAt != null && !person.verified()) {
                increment(left, month(leftAt));
            }
        }

        ListStatistics sum() {
            return ListStatistics.NONE.plus(
                    new ListStatistics(people, subscribed, states, sources, domains, 0, joined, left, examples));
        }

        private String month(Instant at) {
            return YearMonth.from(at.atZone(zone)).toString();
        }

        private static void increment(Map<String, Long> counts, String name) {
            counts.merge(name, 1L, Long::sum);
        }
    }
}
