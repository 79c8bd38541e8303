package org.azuremail.work.signal;

import java.time.Duration;
import java.util.List;

/**
 * Tells consumers, in this process and in others, that something waits, after it is stored. Never keeps the caller. A lost
 * signal only costs time: a slow look finds the work.
 */
public interface Signals {

    /** The scheduled service that emails admins. */
    String ATTENTION = "attention";

    /** The services that look soon after a process has died, without having been told what it left behind. */
    List<String> AFTER_A_DEATH = List.of(ATTENTION, "person-directory", "watchers");

    /** Wakes one consumer of the queue. */
    void workWaits(String queue);

    /** Wakes the process that runs the scheduled service of this name, so that it runs without waiting for its interval. */
    void runSoon(String scheduledService);

    /** Tells all processes that handle items that messages are under way; those that follow messages look often for so long. */
    default void messagesActive(Duration lasts) {}

    /** Something has happened that may need a person, or no longer does. */
    default void needAttention() {
        runSoon(ATTENTION);
    }

    /** Tells all that a queue or a service was stopped or started. */
    default void switchesChanged() {}

    Signals NONE = new Signals() {
        @Override
        public void workWaits(String queue) {}

        @Override
        public void runSoon(String scheduledService) {}
    };
}
