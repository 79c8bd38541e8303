package org.azuremail.operations;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.azuremail.time.Time;

/**
 * By how much counts that only grow have grown in the last hour. It knows them as they were whenever somebody asked, so the
 * hour is a little longer when nobody asks for long, and shorter at first. Safe for use from many threads.
 */
final class LastHour {

    static final Duration HOUR = Duration.ofHours(1);

    /** Samples do not be closer than this: at most 61 are kept. */
    private static final Duration APART = Duration.ofMinutes(1);

    private final Time time;
    private final Supplier<Map<String, Long>> totals;
    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(Duration elapsed, Map<String, Long> totals) {}

    /**
     * The counts of a span.
     *
     * @param span over which time; an hour once the process has run for so long
     * @param counts all that is counted at all, by name
     */
    record Growth(Duration span, Map<String, Count> counts) {}

    /** One count: in the span, and since the start of the process. */
    record Count(long lately, long total) {}

    /** @param totals counts that begin at zero here and now */
    LastHour(Time time, Supplier<Map<String, Long>> totals) {
        this.time = time;
        this.totals = totals;
        samples.add(new Sample(time.elapsed(), Map.of()));
    }

    synchronized Growth growth() {
        Sample now = new Sample(time.elapsed(), totals.get());
        Sample before = anHourBefore(now);
        if (now.elapsed().minus(samples.getLast().elapsed()).compareTo(APART) >= 0) {
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

    /** The youngest sample that is an hour old; the oldest of all while there is none. */
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
