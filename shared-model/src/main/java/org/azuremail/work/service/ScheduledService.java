package org.azuremail.work.service;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Runs once per interval over all instances: the one that holds the lease runs it. A run is short; heavy work goes to a
 * queue. The runner's death hands it on when the lease ends. A bean of this type is all it takes.
 */
public interface ScheduledService {

    /** Unique and stable: names the lease. Lower-case letters, digits and dashes. */
    String name();

    /**
     * The time from the beginning of one run to the beginning of the next: a day, unless a service says otherwise. It is asked
     * again and again. From six hours on it takes up to an eighth longer, so that services do not all run in the same hour.
     */
    default Duration interval() {
        return Duration.ofDays(1);
    }

    /** One run, alone over all instances. A throw is logged and the next run comes as usual. */
    void run() throws Exception;

    /**
     * Returns whether there is something to do at present. While there is, the lease is short ({@code Leases.ACTIVE}), so that
     * another instance soon takes over from one that died; otherwise it is long ({@code Leases.IDLE}) and costs less.
     * Asked after each run.
     */
    default boolean active() {
        return false;
    }

    /**
     * The time for which there is nothing to do, from the end of a run, when no other process can store anything unseen: only
     * this process's own signals bring news. Asked after each run where the process is alone.
     */
    default Duration restWhenAlone() {
        return interval();
    }

    /** A service that runs once a day. */
    static ScheduledService daily(String name, Runnable run) {
        return daily(name, () -> Duration.ofDays(1), run);
    }

    /** A service that runs once a week: the data that it cleans up costs nothing meanwhile. */
    static ScheduledService weekly(String name, Runnable run) {
        return of(name, Duration.ofDays(7), () -> Duration.ofDays(7), run);
    }

    /** A service that runs once a day, and when its rest is over where the process is alone. */
    static ScheduledService daily(String name, Supplier<Duration> restWhenAlone, Runnable run) {
        return of(name, Duration.ofDays(1), restWhenAlone, run);
    }

    private static ScheduledService of(String name, Duration interval, Supplier<Duration> restWhenAlone, Runnable run) {
        return new ScheduledService() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Duration interval() {
                return interval;
            }

            @Override
            public Duration restWhenAlone() {
                return restWhenAlone.get();
            }

            @Override
            public void run() {
                run.run();
            }
        };
    }
}
