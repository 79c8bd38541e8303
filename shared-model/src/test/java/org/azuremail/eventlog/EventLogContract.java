package org.azuremail.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.Page;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Together;
import org.azuremail.storage.simulated.EachCall;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** The contract of the event log on every back end. */
interface EventLogContract {

    Storage storage();

    ManualTime time();

    /** Returns the number of entries in the burst; slow back ends get fewer. */
    default int burst() {
        return 10_000;
    }

    /** Returns the beginning of a day that only this test uses. */
    default Instant day() {
        return time().instant().truncatedTo(ChronoUnit.DAYS);
    }

    default EventLog log() {
        return new EventLog(storage(), new CompactIds(storage()), time(), Duration.ofDays(30));
    }

    default String write(EventLog log, Instant at, EventLevel level, String title) {
        return log.write(new Event(at, level, "host/1", "org.azuremail.Test", title, "all of it\n\nand more"));
    }

    @Test
    default void k20_anEntryIsNamedByItsSecondNumberLevelAndTitle() {
        Instant at = day().plusMillis(((23 * 60 + 4) * 60 + 5) * 1000 + 678);

        String id = write(log(), at, EventLevel.ERROR, "Storage out of reach: T\u00e9st/\\?# 100 %");

        String date = day().toString().substring(0, 10).replace('-', '/');
        assertThat(id).matches(date + "/23/04/05/[0-9a-z]{10}/error-storage-out-of-reach-t-st-100");
        Event kept = log().find(id).orElseThrow().event();
        assertThat(kept.at()).isEqualTo(at);
        assertThat(kept.level()).isEqualTo(EventLevel.ERROR);
        assertThat(kept.title()).isEqualTo("Storage out of reach: T\u00e9st/\\?# 100 %");
        assertThat(kept.details()).isEqualTo("all of it\n\nand more");
        assertThat(kept.process()).isEqualTo("host/1");
    }

    @Test
    default void k20_oneHourIsReadByItsPrefix() {
        EventLog log = log();
        Instant hour = day().plus(Duration.ofHours(13));
        write(log, hour.minusSeconds(1), EventLevel.ERROR, "before");
        String first = write(log, hour, EventLevel.WARNING, "first");
        String last = write(log, hour.plusSeconds(3599), EventLevel.WARNING, "last");
        write(log, hour.plusSeconds(3600), EventLevel.ERROR, "after");

        EventFilter filter = within(hour, hour.plusSeconds(3600));
        time().advance(Duration.ofDays(1));
        List<String> listed = new ArrayList<>();
        EventLog listening = new EventLog(listening(listed), new CompactIds(storage()), time(), Duration.ofDays(30));

        assertThat(listening.newest(10, filter, null).items())
                .extracting(EventLog.Entry::id)
                .containsExactly(last, first);
        assertThat(listed).containsOnly(first.substring(0, "2026/11/21/13/".length()));
        listed.clear();
        assertThat(ids(listening, filter, 10)).containsExactly(first, last);
        assertThat(listed).containsOnly(first.substring(0, "2026/11/21/13/".length()));
    }

    @Test
    default void k20_entriesAreFoundByTimeProcessAndText() {
        EventLog log = log();
        Instant begin = day();
        Instant noon = begin.plus(Duration.ofHours(12));
        time().advance(Duration.ofDays(1));
        String smtp = log.write(new Event(noon, EventLevel.ERROR, "mill/7", "org.azuremail.Smtp", "No answer", "at x"));
        String disk = log.write(
                new Event(noon.plusSeconds(90), EventLevel.WARNING, "barn/8", "Disk", "Slow", "by SMTP, 80 %"));
        EventFilter day = within(begin, begin.plus(Duration.ofDays(1)));

        assertThat(ids(log, with(day, "", "smtp"), 10)).containsExactly(smtp, disk);
        assertThat(ids(log, with(day, "MILL/7", " SMTP "), 10)).containsExactly(smtp);
        assertThat(ids(log, with(day, "mill", "slow"), 10)).isEmpty();
        assertThat(ids(log, with(day, "", "80 %"), 10)).containsExactly(disk);
        assertThat(log.newest(10, with(day, "barn", ""), null).items())
                .extracting(EventLog.Entry::id)
                .containsExactly(disk);
        assertThat(ids(log, within(noon.plusSeconds(1), noon.plusSeconds(90)), 10))
                .as("the end is not meant")
                .isEmpty();
        assertThat(ids(log, within(noon.plusSeconds(90), noon), 10)).isEmpty();
        assertThat(ids(log, within(Instant.MIN, Instant.MAX), 1000)).contains(smtp, disk);
        assertThat(log.each(day, 1, entry -> {})).contains(noon.plusSeconds(90));
    }

    @Test
    default void anExportOfSeveralDaysIsOldestFirst() {
        EventLog log = log();
        Instant noon = day().plus(Duration.ofHours(12));
        List<String> written = IntStream.range(0, 3)
                .mapToObj(n -> write(log, noon.plus(Duration.ofDays(n)), EventLevel.ERROR, "day " + n))
                .toList();
        time().advance(Duration.ofDays(3));

        assertThat(ids(log, within(noon, noon.plus(Duration.ofDays(3))), 10)).containsExactlyElementsOf(written);
    }

    @Test
    default void anExportChecksTenEntriesForEachThatItMayPassAndSaysWhereToContinue() {
        EventLog log = log();
        Instant begin = day();
        for (int n = 1; n <= 11; n++) {
            write(log, begin.plusSeconds(n), EventLevel.ERROR, "frequent");
        }
        String last = write(log, begin.plusSeconds(12), EventLevel.ERROR, "rare");
        time().advance(Duration.ofDays(1));
        EventFilter filter = with(within(begin.plusSeconds(1), begin.plusSeconds(13)), "", "rare");
        List<String> found = new ArrayList<>();

        Instant rest = log.each(filter, 1, entry -> found.add(entry.id())).orElseThrow();
        assertThat(found).as("ten were checked for one").isEmpty();
        assertThat(rest).isEqualTo(begin.plusSeconds(11));
        log.each(new EventFilter(rest, filter.to(), filter.least(), "", "rare"), 1, entry -> found.add(entry.id()));
        assertThat(found).containsExactly(last);
    }

    /** Returns the same storage, recording the prefixes that are listed. */
    private Storage listening(List<String> prefixes) {
        EachCall ear = (method, arguments, call) -> {
            if (method.getName().equals("list")) {
                prefixes.add((String) arguments[1]);
            }
            return call.done();
        };
        return ear.of(storage());
    }

    private static EventFilter within(Instant from, Instant end) {
        return new EventFilter(from, end, EventLevel.INFO, "", "");
    }

    private static EventFilter with(EventFilter filter, String process, String text) {
        return new EventFilter(filter.from(), filter.to(), filter.least(), process, text);
    }

    private static List<String> ids(EventLog log, EventFilter filter, int max) {
        List<String> ids = new ArrayList<>();
        assertThat(log.each(filter, max, entry -> ids.add(entry.id()))).isEmpty();
        return ids;
    }

    @Test
    default void k22_theNewestComeFirstByLevelAndPage() {
        EventLog log = log();
        Instant now = time().instant();
        write(log, now.minus(Duration.ofDays(2)), EventLevel.ERROR, "two days ago");
        write(log, now.minusSeconds(50), EventLevel.WARNING, "a warning");
        write(log, now.minusSeconds(40), EventLevel.ERROR, "an error");
        write(log, now.minusSeconds(30), EventLevel.INFO, "news");

        assertThat(titles(log.newest(10, EventFilter.atLeast(EventLevel.INFO), null)))
                .containsExactly("news", "an error", "a warning", "two days ago");
        Page<EventLog.Entry> page = log.newest(2, EventFilter.atLeast(EventLevel.WARNING), null);
        assertThat(titles(page)).containsExactly("an error", "a warning");
        Page<EventLog.Entry> next = log.newest(2, EventFilter.atLeast(EventLevel.WARNING), page.continuation());
        assertThat(titles(next)).containsExactly("two days ago");
        assertThat(next.continuation()).isNull();
    }

    @Test
    default void aPageChecksALimitedNumberOfEntriesAndTheNextContinues() {
        EventLog log = log();
        Instant begin = day();
        write(log, begin, EventLevel.ERROR, "rare");
        for (int n = 1; n <= EventLog.SCAN_SIZE; n++) {
            write(log, begin.plusSeconds(n), EventLevel.ERROR, "frequent");
        }
        time().advance(Duration.ofDays(1));
        EventFilter filter = with(within(begin, begin.plus(Duration.ofDays(1))), "", "rare");

        Page<EventLog.Entry> page = log.newest(10, filter, null);
        assertThat(page.items()).isEmpty();
        Page<EventLog.Entry> next = log.newest(10, filter, page.continuation());
        assertThat(titles(next)).containsExactly("rare");
        assertThat(next.continuation()).isNull();
    }

    @Test
    default void entriesOfAClockThatIsAheadAreShown() {
        EventLog log = log();
        write(log, time().instant().plusSeconds(50), EventLevel.ERROR, "ahead");

        assertThat(titles(log.newest(10, EventFilter.atLeast(EventLevel.ERROR), null)))
                .containsExactly("ahead");
    }

    @Test
    default void l14_aBurstInOneSecondIsStoredWhole() throws Exception {
        Instant at = day().plus(Duration.ofHours(17));
        List<EventLog> processes = List.of(log(), log(), log());
        Set<String> names = ConcurrentHashMap.newKeySet();

        // Not the common pool: on Java 25 the storage's client needs its threads.
        Together.run(3, process -> () -> {
            for (int n = process; n < burst(); n += 3) {
                names.add(write(processes.get(process), at, EventLevel.ERROR, "the same title"));
            }
            return null;
        });

        assertThat(names).hasSize(burst());
        EventFilter hour = within(at, at.plusSeconds(1));
        time().advance(Duration.ofDays(1));
        assertThat(Set.copyOf(ids(processes.get(0), hour, burst()))).isEqualTo(names);
    }

    @Test
    default void wholeDaysThatAreOverGo() {
        EventLog log = log();
        Instant now = day().plus(Duration.ofHours(13));
        String old = write(log, now.minus(Duration.ofDays(31)), EventLevel.ERROR, "old");
        String kept = write(log, now.minus(Duration.ofDays(30)).minusSeconds(60), EventLevel.ERROR, "of the last day");

        log.deleteBefore(now.minus(Duration.ofDays(30)));

        assertThat(log.find(old)).isEmpty();
        assertThat(log.find(kept)).isPresent();
    }

    @Test
    default void anIdThatNamesNoEntryFindsNothing() {
        assertThat(log().find("../secrets")).isEmpty();
        assertThat(log().find("2026/11/21/13/00/00/0000000001/error-nothing")).isEmpty();
    }

    private static List<String> titles(Page<EventLog.Entry> page) {
        return page.items().stream().map(event -> event.event().title()).toList();
    }
}
