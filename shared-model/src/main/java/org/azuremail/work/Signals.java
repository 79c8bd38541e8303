package org.azuremail.work;

/**
 * Tells consumers that something waits, after it is stored. A lost signal only costs time: a slow poll finds the work.
 */
public interface Signals {

    /** Wakes one consumer of the queue. */
    void workWaits(String queue);

    /** Wakes whoever runs the scheduled service of this name, so that it runs without waiting for its interval. */
    void runSoon(String scheduledService);

    /** Nobody listens. */
    Signals NONE = new Signals() {
        @Override
        public void workWaits(String queue) {}

        @Override
        public void runSoon(String scheduledService) {}
    };
}
