package org.azuremail.work.signal;

import java.time.Duration;

/**
 * Tells consumers, in this process and in others, that something waits, after it is stored. Never keeps the caller. A lost
 * signal only costs time: a slow look finds the work.
 */
public interface Signals {

    /** Wakes one consumer of the queue. */
    void workWaits(String queue);

    /** Wakes whoever runs the scheduled service of this name, so that it runs without waiting for its interval. */
    void runSoon(String scheduledService);

    /** Tells all who handle items that messages are under way: who follows messages looks often for so long. */
    default void messagesActive(Duration lasts) {}

    /** Tells all that a queue or a service was stopped or started. */
    default void switchesChanged() {}

    /** Nobody listens. */
    Signals NONE = new Signals() {
        @Override
        public void workWaits(String queue) {}

        @Override
        public void runSoon(String scheduledService) {}
    };
}
