package org.azuremail.storage.simulated;

/** Thrown by every later call of a simulated process that has died. */
public final class ProcessDied extends Error {

    public ProcessDied() {
        super("the process died", null, false, false);
    }
}
