package org.azuremail.work.service;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A service that runs once per interval across all instances, in the one that holds its lease. A run should be short,
 * with heavy work put on a queue. If the process that runs it dies, another one takes over when the lease ends. A
 * service only has to be declared as a bean.
 */
public interface ScheduledService {

    /**
     * Returns the name, which is unique and stable because the lease has the same name. It consists of lower-case
     * letters, digits and dashes.
     */
    String name();

    /**
     * Returns the time from the beginning of one run to the beginning of the next, by default a day. It is asked
     * repeatedly. From six hours on it is extended by up to an eighth, so that services do not all run in the same
     * hour.
     */
    default Duration interval() {
        return Duration.ofDays(1);
    }

    /**
     * Runs once, at the same time as no other instance. If this throws, the exception is logged, and the next run comes
     * as usual.
     */
    void run() throws Exception;

    /**
     * Returns whether there is something to do at present. If so, the lease is short ({@code Leases.ACTIVE}), so that
     * another instance soon takes over from one that died. Otherwise it is long ({@code Leases.IDLE}) and costs less.
     * Asked after each run.
     */
    default boolean active() {
        return false;
    }

    /**
     * Returns the time from the end of a run for which there is nothing to do, assuming that no other process stores
     * anything and only signals of this process bring news. Asked after each run if the process is the only one.
     */
    default Duration restAsOnlyProcess() {
        return interval();
    }

    /** Returns a service that runs once a day. */
    static ScheduledService daily(String name, Runnable run) {
        return daily(name, () -> Duration.ofDays(1), run);
    }

    /** Returns a service that runs once a week. It suits cleaning up data that costs nothing meanwhile. */
    static ScheduledService weekly(String name, Runnable run) {
        return of(name, Duration.ofDays(7), () -> Duration.ofDays(7), run);
    }

    /** Returns a service that runs once a day, or after this rest if the process is the only one. */
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
            public Duration restAsOnlyProcess() {
                return restWhenAlone.get();
            }

            @Override
            public void run() {
                run.run();
            }
        };
    }
}
