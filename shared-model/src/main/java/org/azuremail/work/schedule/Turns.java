package org.azuremail.work.schedule;

import java.time.Duration;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.ScheduledService;

/** The turns of a scheduled service in this process. One thread takes them. */
public interface Turns {

    /**
     * Runs the service when it is due here.
     *
     * @return how long there is nothing to do here unless a signal comes
     */
    Duration runOnce();

    /** As {@link #runOnce}, without waiting for the interval. */
    Duration runSoon();

    /** Lets other processes take over at once. */
    void release();

    /** Returns whether a signal to this process is enough: nobody else runs the service at present. For any thread. */
    boolean runsHere();

    /** The turns of a service on this runtime; a process that is alone needs no lease for them. */
    static Turns of(ScheduledService service, WorkRuntime runtime, boolean alone) {
        return alone ? new AloneRunner(runtime, service) : new ScheduledRunner(runtime, service);
    }
}
