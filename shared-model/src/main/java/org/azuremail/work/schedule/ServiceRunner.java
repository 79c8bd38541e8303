package org.azuremail.work.schedule;

import java.time.Duration;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.ScheduledService;

/** The turns of a scheduled service in this process. One thread takes them. */
public interface ServiceRunner {

    /**
     * Runs the service if it is due in this process.
     *
     * @return how long there is nothing to do here unless a signal comes
     */
    Duration runOnce();

    /** Does the same as {@link #runOnce} without waiting for the interval. */
    Duration runSoon();

    /** Lets other processes take over immediately. */
    void release();

    /**
     * Returns whether a signal to this process is enough, because no other process runs the service at present. Safe to
     * call from any thread.
     */
    boolean runsHere();

    /** Returns the turns of a service on this runtime. They need no lease if the process is the only one. */
    static ServiceRunner of(ScheduledService service, WorkRuntime runtime, boolean alone) {
        return alone ? new SingleProcessRunner(runtime, service) : new LeasedRunner(runtime, service);
    }
}
