package org.azuremail.work.run;

import java.time.Duration;

/**
 * Runs once per interval over all instances: whoever holds the lease runs it. A run is short; heavy work goes to a
 * queue. The runner's death hands it on when the lease ends. A bean of this type is all it takes.
 */
public interface ScheduledService {

    /** Unique and stable: names the lease. Lower-case letters, digits and dashes. */
    String name();

    /**
     * How long from the beginning of one run to the beginning of the next; asked again and again. From six hours on it takes up
     * to an eighth longer, so that services do not all run in the same hour.
     */
    Duration interval();

    /** One run, alone over all instances. A throw is logged and the next run comes as usual. */
    void run() throws Exception;

    /**
     * Whether there is something to do at present. While there is, the lease is short ({@code Leases.ACTIVE}), so that
     * another instance soon takes over from one that died; otherwise it is long ({@code Leases.IDLE}) and costs less.
     * Asked after each run.
     */
    default boolean active() {
        return false;
    }

    /**
     * How long there is nothing to do, from the end of a run, when no other process can store anything unseen: only this
     * process's own signals bring news. Asked after each run where the process is alone.
     */
    default Duration restWhenAlone() {
        return interval();
    }
}
