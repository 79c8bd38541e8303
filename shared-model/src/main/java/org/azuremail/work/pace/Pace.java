package org.azuremail.work.pace;

import java.time.Duration;

/** Decides how long a consumer rests after each poll of an empty queue. Not thread-safe. */
public interface Pace {

    /** Returns the rest after one more empty poll. */
    Duration next();

    /** Returns whether the last rest was the longest one, so that polling is pointless until a signal comes. */
    boolean ended();

    /** Starts again with the shortest rest, because an item was found or a signal came. */
    void reset();
}
