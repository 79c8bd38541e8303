package org.azuremail.operations;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.azuremail.operations.LastHour.Count;
import org.jspecify.annotations.Nullable;

/** The work of all live instances together on one queue. */
record WorkSums(Collection<ProcessReport> reports, String queue) {

    long places() {
        return reports.stream().mapToLong(report -> report.places(queue)).sum();
    }

    long lately(String what) {
        return sum(what, Count::lately);
    }

    Overview.WaitStatistics waited() {
        Map<Integer, Long> steps = new TreeMap<>();
        reports.forEach(report -> report.waits(queue).forEach((step, count) -> steps.merge(step, count, Long::sum)));
        return new Overview.WaitStatistics(
                lately(ProcessReport.LOOKS),
                lately(ProcessReport.EMPTY),
                lately(ProcessReport.BEGUN),
                lately(ProcessReport.LATE),
                lately(ProcessReport.STARVED),
                steps);
    }

    /** Returns the time of handlers per finished item. Tries that failed increase it. */
    @Nullable
    Duration average() {
        Duration lately = average(Count::lately);
        return lately == null ? average(Count::total) : lately;
    }

    /** Returns the time that the waiting items will take. */
    @Nullable
    Duration remaining(long waiting) {
        Duration average = average();
        if (waiting == 0) {
            return Duration.ZERO;
        }
        return average == null || places() == 0
                ? null
                : average.multipliedBy(waiting).dividedBy(places());
    }

    private @Nullable Duration average(ToLongFunction<Count> counted) {
        long finished = sum(ProcessReport.FINISHED, counted);
        return finished == 0
                ? null
                : Duration.ofMillis(sum(ProcessReport.MILLIS, counted)).dividedBy(finished);
    }

    private long sum(String what, ToLongFunction<Count> counted) {
        return reports.stream()
                .mapToLong(report -> counted.applyAsLong(report.work(queue, what)))
                .sum();
    }
}
