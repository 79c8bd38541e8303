package org.azuremail.blobset;

import java.util.Locale;

/** The states of a job. Every transition is one conditional write of its row; nothing follows the last three. */
public enum JobState {
    /** Not all pieces of the level are known. */
    WALKING,
    /** All are known, not all are finished. */
    RUNNING,
    DONE,
    CANCELLED,
    FAILED;

    public boolean over() {
        return this != WALKING && this != RUNNING;
    }

    /** As the API and pages call it: nobody need know whether all pieces are known. */
    public String word() {
        return over() ? name().toLowerCase(Locale.ROOT) : "running";
    }
}
