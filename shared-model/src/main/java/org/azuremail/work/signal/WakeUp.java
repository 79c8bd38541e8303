package org.azuremail.work.signal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A rest that a signal ends. A signal that arrives during no rest ends the next one immediately, so none is lost.
 * Several signals have the same effect as one.
 */
public final class WakeUp {

    private final Semaphore signals;

    public WakeUp() {
        this(new Semaphore(0));
    }

    WakeUp(Semaphore signals) {
        this.signals = signals;
    }

    public void signal() {
        signals.release();
    }

    /** Returns whether a signal came, without resting. */
    public boolean take() {
        return signals.drainPermits() > 0;
    }

    /**
     * Rests until a signal or the end of the time, by the machine's own clock.
     *
     * @return whether a signal came
     */
    public boolean await(Duration rest) throws InterruptedException {
        boolean woken = signals.tryAcquire(rest.toNanos(), TimeUnit.NANOSECONDS);
        return take() || woken;
    }
}
