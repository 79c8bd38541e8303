package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Clocks that are driven by hand. {@link #sleep} blocks until the clock has advanced far enough; with
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

    /** Moves both clocks forward to this time, unless the wall clock is already past it. */
    public synchronized void advanceTo(Instant instant) {
        if (instant.isAfter(wall)) {
            advance(Duration.between(wall, instant));
        }
    }

    /** Shifts the wall clock forward or back, without any time passing. */
    public synchronized void shiftWallClock(Duration duration) {
        wall = wall.plus(duration);
        shifted = shifted.plus(duration);
    }

    /** Returns the clock of a storage account, which {@link #shiftWallClock} does not affect. */
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
