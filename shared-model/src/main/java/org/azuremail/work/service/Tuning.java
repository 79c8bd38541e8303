package org.azuremail.work.service;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/** The changes that admins made to queues and services while these run. Asked each time, and for any thread. */
public interface Tuning {

    /** The usual time within which waiting items should be done, as a setting has it. */
    String DRAIN_WITHIN = "5m";

    /** Everything as the services say. */
    Tuning NONE = new Tuning() {};

    /** The time from the beginning of one run to that of the next. */
    default Duration interval(ScheduledService service) {
        return service.interval();
    }

    /** The weight with which its queue is looked at among those of its pool; more than 0. */
    default double priority(QueueService<?> service) {
        return service.priority();
    }

    /** The time within which waiting items should be done: the number of places follows from it. */
    default Duration drainWithin() {
        return DurationStyle.detectAndParse(DRAIN_WITHIN);
    }

    /** The processes that handle items of its queue, this one included. */
    default int processes(QueueService<?> service) {
        return 1;
    }

    /** The items a second that this process may take from one queue of the storage now. */
    default int perSecond(QueueService<?> service) {
        return Integer.MAX_VALUE;
    }
}
