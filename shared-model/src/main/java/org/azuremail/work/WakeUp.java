package org.azuremail.work;

import java.time.Duration;

/**
 * A rest that a signal ends. A signal that comes while nobody rests ends the next rest at once: none is lost, and many
 * are as good as one.
 */
final class WakeUp {

    private boolean signalled;

    synchronized void signal() {
        signalled = true;
        notifyAll();
    }

    /**
     * Rests until a signal or the end of the time, by the machine's own clock.
     *
     * @return whether a signal came
     */
    synchronized boolean await(Duration rest) throws InterruptedException {
        long end = System.nanoTime() + rest.toNanos();
        for (long left = rest.toNanos(); !signalled && left > 0; left = end - System.nanoTime()) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        boolean woken = signalled;
        signalled = false;
        return woken;
    }
}
