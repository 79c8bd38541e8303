package org.azuremail.work.run;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import org.azuremail.time.Time;

/**
 * The times at which items that were handed back show again: a loop that rests knows when to look next. Only a hint, so
 * bounded.
 */
final class Appointments {

    private static final int MOST = 1000;

    private final Time time;
    private final Queue<Duration> dueElapsed = new PriorityQueue<>();

    Appointments(Time time) {
        this.time = time;
    }

    synchronized void add(Duration fromNow) {
        if (dueElapsed.size() < MOST) {
            dueElapsed.add(time.elapsed().plus(fromNow));
        }
    }

    /** The time until the next one, or the rest if that is shorter; times that are past are forgotten. */
    synchronized Duration within(Duration rest) {
        Duration now = time.elapsed();
        while (!dueElapsed.isEmpty() && dueElapsed.peek().compareTo(now) <= 0) {
            dueElapsed.remove();
        }
        Duration next = dueElapsed.isEmpty() ? rest : dueElapsed.peek().minus(now);
        return next.compareTo(rest) < 0 ? next : rest;
    }
}
