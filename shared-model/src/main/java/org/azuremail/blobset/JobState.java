package org.azuremail.blobset;

import java.util.Locale;

/** The states of a job. Every transition is one conditional write of its row. The last three states are final. */
public enum JobState {
    /** Some chunks of the level are not known yet. */
    WALKING,
    /** All chunks of the level are known, but not all are finished. */
    RUNNING,
    DONE,
    CANCELLED,
    FAILED;

    public boolean over() {
        return this != WALKING && this != RUNNING;
    }

    /** Returns the word for the API and for pages, which do not distinguish {@link #WALKING} from {@link #RUNNING}. */
    public String word() {
        return over() ? name().toLowerCase(Locale.ROOT) : "running";
    }
}
