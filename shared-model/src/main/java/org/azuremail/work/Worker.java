package org.azuremail.work;

import java.time.Duration;
import org.azuremail.work.run.Loop;

/** One service that this process runs. It is started once and stopped once; it may be stopped before it is started. */
interface Worker {

    /** Returns the loop that takes the turns. Tests drive it by hand. */
    Loop loop();

    default void start() {
        loop().start();
    }

    /** Stops new work from beginning, and returns immediately. */
    default void stop() {
        loop().stop();
    }

    /** @return whether all work that had begun ended within the time */
    boolean join(Duration atMost) throws InterruptedException;

    /** Interrupts work that did not end in time. */
    default void interrupt() {
        loop().interrupt();
    }
}
