package org.azuremail.work.signal;

/** The result of a signal at one process. */
public enum SignalAnswer {
    /** It does what is to be done. */
    TAKEN,
    /** It heard, but perhaps another one has to do it. */
    HEARD,
    /** It has nothing to do with that. */
    NOT_MINE,
    /** It did not answer in time, or is another process by now. */
    SILENT
}
