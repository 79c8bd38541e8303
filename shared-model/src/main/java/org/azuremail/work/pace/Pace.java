package org.azuremail.work.pace;

import java.time.Duration;

/** The rests of a consumer after each look at an empty queue. Not for several threads. */
public interface Pace {

    /** The rest after one more empty look. */
    Duration next();

    /** Returns whether the last rest was the longest there is: looking again is pointless from here on, until a signal comes. */
    boolean ended();

    /** An item was found, or a signal came. */
    void reset();

    /** The same rest after every look, and without end. */
    static Pace naive(Duration every) {
        return new EvenPace(every, Integer.MAX_VALUE);
    }

    /** One wait for an item or its signal after the queue was found empty, and then the end. */
    static Pace longPoll(Duration wait) {
        return new EvenPace(wait, 1);
    }
}
