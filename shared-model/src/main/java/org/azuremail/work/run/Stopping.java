package org.azuremail.work.run;

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
    public void reset() {
        requested = false;
    }
}
