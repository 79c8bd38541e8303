package org.azuremail.operations;

import java.time.Duration;
import java.util.Collection;
import java.util.function.ToLongFunction;
import org.azuremail.operations.LastHour.Count;
import org.jspecify.annotations.Nullable;

/** What all live instances together did for one queue. */
final class WorkSums {

    private final Collection<Report> reports;
    private final String queue;

    WorkSums(Collection<Report> reports, String queue) {
        this.reports = reports;
        this.queue = queue;
    }

    long places() {
        return reports.stream().mapToLong(report -> report.places(queue)).sum();
    }

    long lately(String what) {
        return sum(what, Count::lately);
    }

    /** The time of handlers per finished item; tries that failed make an item cost more. */
    @Nullable
    Duration average() {
        Duration lately = average(Count::lately);
        return lately == null ? average(Count::total) : lately;
    }

    /** How long so many items will take. */
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
        long finished = sum(Report.FINISHED, counted);
        return finished == 0
                ? null
                : Duration.ofMillis(sum(Report.MILLIS, counted)).dividedBy(finished);
    }

    private long sum(String what, ToLongFunction<Count> counted) {
        return reports.stream()
                .mapToLong(report -> counted.applyAsLong(report.work(queue, what)))
                .sum();
    }
}
