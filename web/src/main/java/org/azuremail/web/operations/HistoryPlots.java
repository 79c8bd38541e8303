package org.azuremail.web.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.azuremail.history.ActivityHistory.HourlyCounts;
import org.azuremail.web.plot.LinePlot;
import org.jspecify.annotations.Nullable;

/**
 * Plots of the history. Each point shows the busiest hour of its step.
 *
 * @param hours the hours in which something happened
 * @param now the last hour shown
 */
record HistoryPlots(NavigableMap<Instant, HourlyCounts> hours, Range range, Instant now, ZoneId zone) {

    private static final DateTimeFormatter LABEL = DateTimeFormatter.ofPattern("d MMM, HH:mm", Locale.ENGLISH);
    private static final Duration HOUR = Duration.ofHours(1);

    enum Range {
        DAY(24, 1),
        WEEK(168, 2),
        MONTH(720, 6);

        private final int hours;
        private final int step;

        Range(int hours, int step) {
            this.hours = hours;
            this.step = step;
        }

        static Range of(@Nullable String typed) {
            return "day".equals(typed) ? DAY : "week".equals(typed) ? WEEK : MONTH;
        }
    }

    record QueuePlots(String name, LinePlot waiting, LinePlot done) {}

    LinePlot emails() {
        return plot("history-emails", HourlyCounts::emails, hour -> 0);
    }

    LinePlot failures() {
        return plot("history-failures", HourlyCounts::failures, hour -> 0);
    }

    /** Returns the plot of processes. A number that was observed holds until the next observation. */
    LinePlot processes() {
        return plot("history-processes", HourlyCounts::processes, HourlyCounts::processes);
    }

    /** Returns the plots of the queues that have anything to show. */
    List<QueuePlots> queues() {
        SortedSet<String> names = new TreeSet<>();
        hours.tailMap(first())
                .values()
                .forEach(hour -> names.addAll(hour.queues().keySet()));
        return names.stream()
                .map(name -> new QueuePlots(
                        name,
                        plot("history-waiting", hour -> hour.queue(name).most(), hour -> hour.queue(name)
                                .last()),
                        plot("history-done", hour -> hour.queue(name).done(), hour -> 0)))
                .toList();
    }

    private Instant last() {
        return now.truncatedTo(ChronoUnit.HOURS);
    }

    private Instant first() {
        return last().minus(HOUR.multipliedBy(range.hours - 1L));
    }

    /** @param after the value that an hour leaves to the following hours in which nothing happened */
    private LinePlot plot(String code, ToLongFunction<HourlyCounts> during, ToLongFunction<HourlyCounts> after) {
        Map.Entry<Instant, HourlyCounts> before = hours.lowerEntry(first());
        long left = before == null ? 0 : after.applyAsLong(before.getValue());
        List<LinePlot.Point> points = new ArrayList<>();
        for (Instant step = first(); !step.isAfter(last()); step = step.plus(HOUR.multipliedBy(range.step))) {
            long max = 0;
            for (int i = 0; i < range.step; i++) {
                HourlyCounts hour = hours.get(step.plus(HOUR.multipliedBy(i)));
                max = Math.max(max, hour == null ? left : during.applyAsLong(hour));
                left = hour == null ? left : after.applyAsLong(hour);
            }
            points.add(new LinePlot.Point(LABEL.format(step.atZone(zone)), max));
        }
        return LinePlot.of(code, points);
    }
}
