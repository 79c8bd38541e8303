package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks digests across changes to and from summer time: with a turn every five minutes, each day or week gets one
 * digest.
 */
class DigestHoursTest {

    private static final Duration EACH = Duration.ofMinutes(5);

    static Stream<Arguments> changes() {
        return Stream.of(
                        "America/New_York 2026-11-01",
                        "America/New_York 2027-03-14",
                        "Europe/Berlin 2027-10-31",
                        "Europe/Berlin 2027-03-28",
                        "Australia/Lord_Howe 2027-04-04",
                        "Australia/Lord_Howe 2027-10-03")
                .map(change -> change.split(" "))
                .flatMap(change -> IntStream.rangeClosed(0, 3)
                        .mapToObj(hour -> Arguments.of(ZoneId.of(change[0]), LocalDate.parse(change[1]), hour)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void eachDayHasOneDigestAlsoWhenTheClockChanges(ZoneId zone, LocalDate change, int hour) {
        List<LocalDate> days = digests("daily", zone, hour, change.minusDays(3), change.plusDays(4));
        assertThat(days).hasSize(7).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void eachWeekHasOneDigestOnItsDayAlsoWhenTheClockChanges(ZoneId zone, LocalDate change, int hour) {
        List<LocalDate> days = digests("weekly", zone, hour, change.minusDays(10), change.plusDays(11));
        assertThat(days).hasSize(3).extracting(LocalDate::getDayOfWeek).containsOnly(DayOfWeek.MONDAY);
    }

    private static List<LocalDate> digests(String what, ZoneId zone, int hour, LocalDate from, LocalDate to) {
        FeedSettings settings = FeedSettings.of(Map.of(
                "address",
                "http://x.example/",
                "list",
                "news",
                "what",
                what,
                "title",
                "T",
                "minutes",
                "5",
                "atHour",
                String.valueOf(hour),
                "zone",
                zone.getId()));
        FeedEntry entry = new FeedEntry("1", "t", "", "", "");
        Row row = new Row(new Key("p", "r"), "e", Values.builder().build());
        List<FeedEntries.PendingEntry> waiting = new ArrayList<>();
        List<LocalDate> days = new ArrayList<>();
        Instant end = to.atStartOfDay(zone).toInstant();
        for (Instant now = from.atStartOfDay(zone).toInstant().minus(EACH); now.isBefore(end); now = now.plus(EACH)) {
            List<List<FeedEntries.PendingEntry>> due = settings.due(waiting, now);
            if (!due.isEmpty() && !now.isBefore(from.atStartOfDay(zone).toInstant())) {
                days.add(now.atZone(zone).toLocalDate());
            }
            due.forEach(waiting::removeAll);
            if (waiting.isEmpty()) {
                waiting.add(new FeedEntries.PendingEntry(row, entry, now, null, null));
            }
        }
        return days;
    }
}
