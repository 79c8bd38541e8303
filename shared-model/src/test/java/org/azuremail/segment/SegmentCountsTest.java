package org.azuremail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.azuremail.blobset.InlineJobs;
import org.azuremail.id.SeededIds;
import org.azuremail.list.Segment;
import org.azuremail.list.SegmentName;
import org.azuremail.subscription.store.SubscriptionStore;
import org.junit.jupiter.api.Test;

/** Checks how the people in segments are counted. */
class SegmentCountsTest extends OnSegments {

    private final InlineJobs process = new InlineJobs(storage, time, new SeededIds(1), List::of);

    @Test
    void aCountIsSharedByAllCallersAndNamesItsRules() {
        save("some", test("name", null, "is", "Ann"));
        Segment segment =
                store.find(LIST, new SegmentName("some")).orElseThrow().value();
        SegmentCounts counts = counts();
        assertThat(counts.latest(segment)).isEmpty();
        assertThat(counts.isCounting(segment)).isTrue();
        assertThat(counts.people(LIST)).as("while the first count is under way").isEmpty();
        counts.requestCount(segment, "ada");
        assertThat(process.jobs().latest(10, null).items()).as("asked again").hasSize(1);
        String job = process.jobs().latest(10, null).items().get(0).id();

        SegmentCounts.SegmentCount newer = new SegmentCounts.SegmentCount(5, 4, NOW, true);
        counts.saveCount(LIST, segment.name(), newer, segment.rules());
        counts.saveCount(LIST, segment.name(), new SegmentCounts.SegmentCount(7, 7, NOW.minusSeconds(1), true), "");
        process.jobs().cancel(job, "ada");

        assertThat(counts.find(segment)).contains(newer);
        assertThat(counts.people(LIST)).isEqualTo(Map.of(segment.name(), 5L));
        assertThat(counts.isCounting(segment)).isFalse();
        save("some", test("name", null, "is", "Bob"));
        Segment changed =
                store.find(LIST, new SegmentName("some")).orElseThrow().value();
        assertThat(counts.find(changed))
                .hasValueSatisfying(last -> assertThat(last.current()).isFalse());
        lists.markDeleting(LIST);
        counts.requestCount(changed, "");
        assertThat(counts.find(changed)).isEmpty();
        assertThat(counts.people(LIST)).isEmpty();
    }

    @Test
    void aCountIsRepeatedWhenItIsAQuarterOfAnHourOld() {
        save("some", test("name", null, "is", "Ann"));
        Segment segment =
                store.find(LIST, new SegmentName("some")).orElseThrow().value();
        SegmentCounts counts = counts();
        SegmentCounts.SegmentCount count = new SegmentCounts.SegmentCount(5, 4, time.instant(), true);
        counts.saveCount(LIST, segment.name(), count, segment.rules());

        time.advance(Duration.ofMinutes(15).minusSeconds(1));
        assertThat(counts.latest(segment)).contains(count);
        assertThat(counts.isCounting(segment)).isFalse();

        time.advance(Duration.ofSeconds(1));
        assertThat(counts.latest(segment)).contains(count);
        assertThat(counts.isCounting(segment)).isTrue();
    }

    private SegmentCounts counts() {
        PeopleJobParameters parameters = new PeopleJobParameters(segments, new SubscriptionStore(storage.tables()));
        return new SegmentCounts(lists, parameters, process.jobs(), storage.tables(), time);
    }
}
