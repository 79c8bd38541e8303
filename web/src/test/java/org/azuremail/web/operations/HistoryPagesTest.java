package org.azuremail.web.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.history.ActivityHistory.HourlyCounts;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.azuremail.web.operations.HistoryPlots.Range;
import org.azuremail.web.plot.LinePlot;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the history as plots and as tables of their numbers. */
@PageTest
class HistoryPagesTest {

    private static final Instant NOW = Instant.parse("2026-11-23T12:34:56Z");

    @Autowired
    TestBrowser browser;

    @Autowired
    Storage storage;

    @Autowired
    Time time;

    private static HistoryPlots plots(Range range, Map<Duration, HourlyCounts> ago) {
        TreeMap<Instant, HourlyCounts> hours = new TreeMap<>();
        ago.forEach((since, hour) -> hours.put(NOW.minus(since).truncatedTo(ChronoUnit.HOURS), hour));
        return new HistoryPlots(hours, range, NOW, ZoneOffset.UTC);
    }

    private static HourlyCounts hour(long emails, long processes, long max, long last) {
        return new HourlyCounts(
                emails, 1, processes, Map.of("q", new HourlyCounts.HourlyQueueCounts(emails, 2, max, last)));
    }

    private static List<Long> lastThree(LinePlot plot) {
        return plot.points().subList(plot.points().size() - 3, plot.points().size()).stream()
                .map(LinePlot.Point::value)
                .toList();
    }

    @Test
    void k21_anHourIsAPointAndWhatLastsGoesOn() {
        HistoryPlots day = plots(Range.DAY, Map.of(Duration.ofHours(1), hour(50, 3, 9, 4)));

        assertThat(day.emails().points()).hasSize(24);
        assertThat(lastThree(day.emails())).containsExactly(0L, 50L, 0L);
        assertThat(lastThree(day.failures())).containsExactly(0L, 3L, 0L);
        assertThat(lastThree(day.processes())).containsExactly(0L, 3L, 3L);
        assertThat(day.queues()).singleElement().satisfies(queue -> {
            assertThat(queue.name()).isEqualTo("q");
            assertThat(lastThree(queue.waiting())).containsExactly(0L, 9L, 4L);
            assertThat(lastThree(queue.done())).containsExactly(0L, 50L, 0L);
        });
        assertThat(day.emails().points().get(23).label()).isEqualTo("23 Nov, 12:00");
    }

    @Test
    void aLongerRangeShowsTheBusiestHourOfEachStep() {
        Map<Duration, HourlyCounts> hours =
                Map.of(Duration.ofHours(28), hour(10, 2, 0, 0), Duration.ofHours(27), hour(70, 2, 0, 0));

        LinePlot month = plots(Range.MONTH, hours).emails();

        assertThat(month.points()).hasSize(120);
        assertThat(month.points().stream().mapToLong(LinePlot.Point::value).max())
                .hasValue(70);
    }

    @Test
    void numbersSeenBeforeTheRangeStillHold() {
        HistoryPlots day = plots(Range.DAY, Map.of(Duration.ofDays(3), hour(10, 5, 20, 6)));

        assertThat(day.processes().points())
                .allSatisfy(point -> assertThat(point.value()).isEqualTo(5));
        assertThat(day.queues()).isEmpty();
    }

    @Test
    void eachQueueIsNamedWithItsClass() throws Exception {
        String hours = "{\"0\":{\"emails\":7,\"refused\":0,\"processes\":1,\"queues\":"
                + "{\"azuremailqueue-low\":{\"done\":1,\"failed\":0,\"most\":0,\"last\":0}}}}";
        String day = LocalDate.ofInstant(time.instant(), ZoneOffset.UTC).minusDays(1) + ".test";
        new Table(storage.tables(), "work").write("history", Write.upsert(day, Values.of("Hours", hours)));

        browser.signIn().open("/operations/history");

        assertThat(browser.page().select("h2").eachText()).contains("List emails, Low");
        assertThat(browser.open("/operations/costs")
                        .page()
                        .select("#cost-emails")
                        .text())
                .as("all emails of the history")
                .startsWith("Emails 7 ");
    }

    @Test
    void thePageOpensWithEachRange() throws Exception {
        browser.signIn().open("/operations/history");
        assertThat(browser.page().select("h1").text()).isEqualTo("History");
        for (String range : List.of("day", "week", "nonsense")) {
            assertThat(browser.open("/operations/history?range=" + range).status())
                    .isEqualTo(200);
        }
    }
}
