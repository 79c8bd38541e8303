package org.azuremail.work.run;

/**
 * Knows whether this process is stopping. Long work checks this between its steps, ends in order, and is continued by
 * another process.
 */
public final class StopFlag {

    private volatile boolean requested;

    public boolean isRequested() {
        return requested;
    }

    public void request() {
        requested = true;
    }

    /** Takes the request back, because a process that was only paused starts again. */
    public void reset() {
        requested = false;
    }
}
