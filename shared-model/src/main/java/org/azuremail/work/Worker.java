package org.azuremail.work;

import java.time.Duration;
import org.azuremail.work.run.Loop;

/** One service of this process at work. Started once and stopped once; a stop before the start is fine. */
interface Worker {

    /** Takes its turns; a test drives it by hand. */
    Loop loop();

    default void start() {
        loop().start();
    }

    /** Begins nothing new; returns at once. */
    default void stop() {
        loop().stop();
    }

    /** @return whether all that had begun has ended within the time */
    boolean join(Duration atMost) throws InterruptedException;

    /** Interrupts work that did not end in time. */
    default void interrupt() {
        loop().interrupt();
    }
}
