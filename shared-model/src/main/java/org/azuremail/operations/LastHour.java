package org.azuremail.operations;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.azuremail.time.Time;

/**
 * Computes by how much counts that only grow have grown in the last hour. A sample of the counts is only taken when the
 * growth is read. So the hour is a little longer after a long time without reads, and shorter at first. Safe for use
 * from many threads.
 */
final class LastHour {

    static final Duration HOUR = Duration.ofHours(1);

    /** The least time between two samples, so that at most 61 are kept. */
    private static final Duration SAMPLE_INTERVAL = Duration.ofMinutes(1);

    private final Time time;
    private final Supplier<Map<String, Long>> totals;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(Duration elapsed, Map<String, Long> totals) {}

    /**
     * The counts of a span.
     *
     * @param span the length of the span; an hour once the process has run for so long
     * @param counts all counts, by name
     */
    record Growth(Duration span, Map<String, Count> counts) {}

    /** One count: within the span, and since the start of the process. */
    record Count(long lately, long total) {}

    /** @param totals returns the counts; they must be zero when this object is created */
    LastHour(Time time, Supplier<Map<String, Long>> totals) {
        this.time = time;
        this.totals = totals;
        samples.add(new Sample(time.elapsed(), Map.of()));
    }

    synchronized Growth growth() {
        Sample now = new Sample(time.elapsed(), totals.get());
        Sample before = anHourBefore(now);
        if (now.elapsed().minus(samples.getLast().elapsed()).compareTo(SAMPLE_INTERVAL) >= 0) {
            samples.add(now);
        }
        Map<String, Count> counts = new TreeMap<>();
        now.totals().forEach((name, total) -> {
            long then = before.totals().getOrDefault(name, 0L);
            counts.put(name, new Count(total - then, total));
        });
        return new Growth(now.elapsed().minus(before.elapsed()), counts);
    }

    synchronized int samples() {
        return samples.size();
    }

    /** Returns the youngest sample that is at least an hour old, or the oldest sample if there is none. */
    private Sample anHourBefore(Sample now) {
        Sample oldest = samples.removeFirst();
        while (!samples.isEmpty()
                && now.elapsed().minus(samples.getFirst().elapsed()).compareTo(HOUR) >= 0) {
            oldest = samples.removeFirst();
        }
        samples.addFirst(oldest);
        return oldest;
    }
}
