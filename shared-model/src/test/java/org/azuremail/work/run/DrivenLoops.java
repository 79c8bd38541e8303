package org.azuremail.work.run;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.azuremail.time.ManualTime;

/**
 * Takes the turns of many loops by hand, each when its rest is over or a signal arrived, and advances the clock in
 * between.
 */
public final class DrivenLoops {

    private final ManualTime time;
    private final Map<Loop, Duration> dueElapsed = new LinkedHashMap<>();

    public DrivenLoops(ManualTime time) {
        this.time = time;
    }

    public void add(Loop loop) {
        dueElapsed.put(loop, time.elapsed());
    }

    public void remove(Loop loop) {
        dueElapsed.remove(loop);
    }

    /** Runs for a time, including the turns that are due at its end. */
    public void run(Duration duration) {
        Duration end = time.elapsed().plus(duration);
        takeTurnsUntil(end);
        time.advance(end.minus(time.elapsed()));
    }

    private void takeTurnsUntil(Duration end) {
        Optional<Loop> next = next(end);
        while (next.isPresent()) {
            next = next(end);
        }
    }

    private Optional<Loop> next(Duration end) {
        Optional<Loop> woken = dueElapsed.keySet().stream().filter(Loop::woken).findFirst();
        if (woken.isPresent()) {
            take(woken.get(), true);
            return woken;
        }
        Optional<Loop> due = dueElapsed.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .filter(entry -> entry.getValue().compareTo(end) <= 0)
                .map(Map.Entry::getKey);
        due.ifPresent(loop -> {
            Duration wait = dueElapsed.get(loop).minus(time.elapsed());
            time.advance(wait.isNegative() ? Duration.ZERO : wait);
            take(loop, false);
        });
        return due;
    }

    private void take(Loop loop, boolean woken) {
        Duration rest = loop.takeTurn(woken);
        dueElapsed.computeIfPresent(loop, (same, before) -> time.elapsed().plus(rest));
    }
}
