package org.azuremail.work.service;

import java.time.Duration;

/**
 * Runs in every process that has it, beside the same in other processes; a {@link ScheduledService} runs in one of them. A bean
 * of this type is all it takes. One thread takes its turns. Signals go to all processes that have it.
 */
public interface LocalService {

    /** Unique and stable, as a scheduled service's. */
    String name();

    /**
     * One turn; a throw is logged, and the next turn comes after a growing rest.
     *
     * @param called whether somebody may have something new for it: a signal came, or signals do not reach this process
     * @return how long there is nothing to do unless a signal comes
     */
    Duration turn(boolean called) throws Exception;

    /** Before the first turn: {@code wake} ends the rest before the next turn, from any thread, in this process alone. */
    default void wokenBy(Runnable wake) {}

    /** The process stops: no turn is under way or follows. */
    void end();
}
