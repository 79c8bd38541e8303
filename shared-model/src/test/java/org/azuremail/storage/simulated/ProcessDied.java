package org.azuremail.storage.simulated;

/** The simulated process is dead: every call that it makes from now on throws this. */
public final class ProcessDied extends Error {

    private static final long serialVersionUID = 1L;

    public ProcessDied() {
        super("the process died", null, false, false);
    }
}
