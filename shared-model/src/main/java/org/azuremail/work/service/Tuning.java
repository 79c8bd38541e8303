package org.azuremail.work.service;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/**
 * The changes that admins made to queues and services while these run. The methods are called each time a value is
 * needed, from any thread.
 */
public interface Tuning {

    /** The default of {@link #drainWithin}, in the form of a setting. */
    String DRAIN_WITHIN = "5m";

    /** The tuning without any changes by admins. */
    Tuning NONE = new Tuning() {};

    /** Returns the time from the beginning of one run to the beginning of the next. */
    default Duration interval(ScheduledService service) {
        return service.interval();
    }

    /** Returns the weight with which the service's queue is polled among those of its pool; more than 0. */
    default double priority(QueueService<?> service) {
        return service.priority();
    }

    /** Returns the time within which waiting items should be done. The number of places follows from it. */
    default Duration drainWithin() {
        return DurationStyle.detectAndParse(DRAIN_WITHIN);
    }

    /** Returns the number of processes that handle items of the service's queue, including this one. */
    default int processes(QueueService<?> service) {
        return 1;
    }

    /** Returns how many items a second this process may take from one queue of the storage. */
    default int perSecond(QueueService<?> service) {
        return Integer.MAX_VALUE;
    }
}
