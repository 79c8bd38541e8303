package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Clocks that are driven by hand. {@link #sleep} blocks until somebody advances far enough; with
 * {@link #thatSleepsByItself()} it advances the clocks itself and returns at once. Safe for use from many threads.
 */
public final class ManualTime implements Time {

    /** The time of a new clock: a Thursday at noon. */
    public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final boolean sleepAdvances;
    private Instant wall;
    private Duration elapsed = Duration.ZERO;
    private Duration shifted = Duration.ZERO;

    private ManualTime(Instant start, boolean sleepAdvances) {
        this.wall = start;
        this.sleepAdvances = sleepAdvances;
    }

    public ManualTime() {
        this(START, false);
    }

    public static ManualTime at(Instant start) {
        return new ManualTime(start, false);
    }

    public static ManualTime thatSleepsByItself() {
        return new ManualTime(START, true);
    }

    /** Moves both clocks forward, and wakes the threads that have slept long enough. */
    public synchronized void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time goes forward; shiftWallClock puts the wall clock back");
        }
        wall = wall.plus(duration);
        elapsed = elapsed.plus(duration);
        notifyAll();
    }

    /** Both clocks go forward until the wall clock shows this, unless it is past that already. */
    public synchronized void advanceTo(Instant instant) {
        if (instant.isAfter(wall)) {
            advance(Duration.between(wall, instant));
        }
    }

    /** Sets the wall clock forward or back. No time passes. */
    public synchronized void shiftWallClock(Duration duration) {
        wall = wall.plus(duration);
        shifted = shifted.plus(duration);
    }

    /** The clock of a storage account, which nobody shifts. */
    public Time unshifted() {
        return new Time() {
            @Override
            public Instant instant() {
                synchronized (ManualTime.this) {
                    return wall.minus(shifted);
                }
            }

            @Override
            public Duration elapsed() {
                return ManualTime.this.elapsed();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                ManualTime.this.sleep(duration);
            }
        };
    }

    @Override
    public synchronized Instant instant() {
        return wall;
    }

    @Override
    public synchronized Duration elapsed() {
        return elapsed;
    }

    @Override
    public synchronized void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (sleepAdvances) {
            advance(duration);
            return;
        }
        Duration until = elapsed.plus(duration);
        while (elapsed.compareTo(until) < 0) {
            wait();
        }
    }
}
