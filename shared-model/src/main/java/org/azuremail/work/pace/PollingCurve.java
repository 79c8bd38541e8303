package org.azuremail.work.pace;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * A pace whose rests grow while the queue stays empty: {@code min((2^idle - 1) × 80…120 ms, maximum)}, where idle
 * counts the empty polls in a row. A consumer polls again immediately after the last item, and then ever more rarely.
 */
public final class PollingCurve implements Pace {

    private static final double STEP_MILLIS = 100;
    private static final int STEEPEST = 30;

    private final Duration maximum;
    private final DoubleSupplier random;
    private int idle;
    private boolean ended;

    /** @param random returns numbers from 0 to 1, so that consumers that became idle together do not poll together */
    public PollingCurve(Duration maximum, DoubleSupplier random) {
        this.maximum = maximum;
        this.random = random;
    }

    @Override
    public Duration next() {
        double jitter = 0.8 + 0.4 * random.getAsDouble();
        double millis = ((1L << idle) - 1) * STEP_MILLIS * jitter;
        idle = Math.min(idle + 1, STEEPEST);
        ended = millis >= maximum.toMillis();
        return ended ? maximum : Duration.ofNanos((long) (millis * 1_000_000));
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public void reset() {
        idle = 0;
        ended = false;
    }
}
