package org.azuremail.work;

/** Whether this process stops: long work looks here between its steps, ends in order and is taken up by the next one. */
public final class Stopping {

    private volatile boolean requested;

    public boolean isRequested() {
        return requested;
    }

    public void request() {
        requested = true;
    }

    /** A process that only paused goes on. */
    void reset() {
        requested = false;
    }
}
