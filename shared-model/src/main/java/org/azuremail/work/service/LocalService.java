package org.azuremail.work.service;

import java.time.Duration;

/**
 * A service that runs in every process that has it, whereas a {@link ScheduledService} runs in one of them. It only has
 * to be declared as a bean. One thread takes its turns. Signals for it go to all processes that have it.
 */
public interface LocalService {

    /** Returns the name, which is unique and stable like that of a scheduled service. */
    String name();

    /**
     * Takes one turn. If it throws, the exception is logged, and the next turn comes after a growing rest.
     *
     * @param woken whether there may be something new: a signal came, or signals do not reach this process
     * @return how long there is nothing to do unless a signal comes
     */
    Duration turn(boolean woken) throws Exception;

    /**
     * Receives, before the first turn, a {@code wake} that ends the rest before the next turn. It may be called from
     * any thread, and wakes the service in this process alone.
     */
    default void setWakeUp(Runnable wake) {}

    /** Ends the service when the process stops. No turn is in progress or follows. */
    void end();
}
