package org.azuremail.work.signal;

import java.time.Duration;
import java.util.List;

/**
 * Signals to consumers, in this process and in others, that something waits after it is stored. The caller never waits
 * for the result. A lost signal only delays the work until the next slow poll.
 */
public interface Signals {

    /** The scheduled service that emails admins. */
    String ATTENTION = "attention";

    /** The services that run soon after a process has died, because they may have to continue its work. */
    List<String> RUN_AFTER_DEATH = List.of(ATTENTION, "person-directory", "watchers");

    /** Wakes one consumer of the queue. */
    void workAvailable(String queue);

    /**
     * Wakes the process that runs the scheduled service of this name, so that it runs without waiting for its interval.
     */
    void runSoon(String scheduledService);

    /**
     * Signals to all processes that handle items that messages are active. Consumers that follow messages poll often
     * for this duration.
     */
    default void messagesActive(Duration lasts) {}

    /** Signals that something has happened that may need a person, or that the need has ended. */
    default void needAttention() {
        runSoon(ATTENTION);
    }

    /** Signals to all processes that a queue or a service was stopped, started or tuned. */
    default void switchesChanged() {}

    Signals NONE = new Signals() {
        @Override
        public void workAvailable(String queue) {}

        @Override
        public void runSoon(String scheduledService) {}
    };
}
