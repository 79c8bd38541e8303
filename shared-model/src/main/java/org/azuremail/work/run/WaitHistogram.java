package org.azuremail.work.run;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how long items waited for the beginning of their work. The waits are grouped into steps; each step is at most
 * a fifth longer than the previous one. Counts only grow. Safe for use from many threads.
 */
public final class WaitHistogram {

    private static final double STEP = 1.2;
    private static final Duration MIN_DURATION = Duration.ofMillis(10);

    private final Map<Integer, LongAdder> steps = new ConcurrentHashMap<>();

    void add(Duration waited) {
        steps.computeIfAbsent(step(waited), unseen -> new LongAdder()).increment();
    }

    private static int step(Duration waited) {
        double times = (double) waited.toMillis() / MIN_DURATION.toMillis();
        return times <= 1 ? 0 : (int) Math.ceil(Math.log(times) / Math.log(STEP));
    }

    /** Returns the longest wait that the step counts. */
    private static Duration longest(int step) {
        return Duration.ofMillis((long) (MIN_DURATION.toMillis() * Math.pow(STEP, step)));
    }

    /** Returns the number of items in each step. */
    public Map<Integer, Long> counts() {
        Map<Integer, Long> counts = new TreeMap<>();
        steps.forEach((step, count) -> counts.put(step, count.sum()));
        return counts;
    }

    /**
     * Returns the time within which this share of the items was begun. The result is at most a fifth too long.
     *
     * @param counts the counts of each step, possibly the sums over several processes
     * @param share from 0 to 1
     * @return zero if there was no item
     */
    public static Duration percentile(Map<Integer, Long> counts, double share) {
        double wanted =
                share * counts.values().stream().mapToLong(Long::longValue).sum();
        long soFar = 0;
        for (Map.Entry<Integer, Long> step : new TreeMap<>(counts).entrySet()) {
            soFar += step.getValue();
            if (soFar > 0 && soFar >= wanted) {
                return longest(step.getKey());
            }
        }
        return Duration.ZERO;
    }
}
