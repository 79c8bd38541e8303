package org.azuremail.work.schedule;

import java.time.Duration;

/**
 * Decides how soon a signalled run of a scheduled service may begin after the one before, so that one does not follow the other
 * however many signals come: a run that took long, as on a storage that is far away, is followed by half a second; a short one
 * by little, since the process that signalled may wait for nothing else.
 */
final class SignalledPace {

    /** After runs that took next to nothing. */
    static final Duration SHORTEST = Duration.ofMillis(50);

    /** After long ones, and as long as this process knows of none. */
    static final Duration LONGEST = Duration.ofMillis(500);

    /** Runs that follow signals take this part of the time at most, unless they are longer than the longest rest allows. */
    private static final int SHARE = 5;

    private Duration between = LONGEST;

    /** A run ended. */
    void ran(Duration took) {
        Duration wanted = took.multipliedBy(SHARE);
        Duration atLeast = wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted;
        between = atLeast.compareTo(LONGEST) > 0 ? LONGEST : atLeast;
    }

    /** From the beginning of the last run to that of a signalled one. */
    Duration between() {
        return between;
    }
}
