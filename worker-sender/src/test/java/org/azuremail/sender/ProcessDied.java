package org.azuremail.sender;

/** The simulated process is dead: whatever it calls from here on throws this. */
final class ProcessDied extends Error {

    private static final long serialVersionUID = 1L;

    ProcessDied() {
        super("the process died", null, false, false);
    }
}
