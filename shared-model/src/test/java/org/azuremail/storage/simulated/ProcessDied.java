package org.azuremail.storage.simulated;

/** The simulated process is dead: whatever it calls from here on throws this. */
public final class ProcessDied extends Error {

    private static final long serialVersionUID = 1L;

    public ProcessDied() {
        super("the process died", null, false, false);
    }
}
