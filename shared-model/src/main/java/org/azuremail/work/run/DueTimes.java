package org.azuremail.work.run;

import java.time.Duration;
import java.util.TreeSet;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/**
 * The times at which items that were handed back become visible again, so that a resting loop knows when to poll next.
 * They are only hints, so only the next {@value #MAX} times are kept.
 */
final class DueTimes {

    private static final int MAX = 1000;

    private final Time time;
    private final TreeSet<Duration> dueElapsed = new TreeSet<>();

    DueTimes(Time time) {
        this.time = time;
    }

    synchronized void add(Duration fromNow) {
        dueElapsed.add(time.elapsed().plus(fromNow));
        if (dueElapsed.size() > MAX) {
            dueElapsed.pollLast();
        }
    }

    /**
     * Returns the time until the next appointment, or the given rest if that is shorter. Removes times that are past.
     */
    synchronized Duration within(Duration rest) {
        Duration now = time.elapsed();
        dueElapsed.headSet(now, true).clear();
        Duration next = dueElapsed.isEmpty() ? rest : dueElapsed.first().minus(now);
        return Durations.min(next, rest);
    }
}
