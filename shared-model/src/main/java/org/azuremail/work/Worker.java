package org.azuremail.work;

import java.time.Duration;
import org.azuremail.work.run.Loop;

/** One service of this process at work. Started once and stopped once; a stop before the start is fine. */
interface Worker {

    void start();

    /** What takes its turns: for who drives it by hand instead of starting it. */
    Loop loop();

    /** Begins nothing new; returns at once. */
    void stop();

    /** @return whether all that had begun has ended within the time */
    boolean join(Duration atMost) throws InterruptedException;

    /** For who did not end in time. */
    void interrupt();
}
