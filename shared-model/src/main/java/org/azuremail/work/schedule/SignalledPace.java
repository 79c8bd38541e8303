package org.azuremail.work.schedule;

import java.time.Duration;
import org.azuremail.time.Durations;

/**
 * Decides how soon after a run of a scheduled service the next signalled run may begin, so that many signals do not
 * cause one run after another. After a long run, for example on a remote storage, the pause is half a second. After a
 * short run it is short too, since the process that signalled may be waiting for the next one.
 */
final class SignalledPace {

    /** The pause after very short runs. */
    static final Duration MIN_BETWEEN = Duration.ofMillis(50);

    /** The pause after long runs, and before the first run. */
    static final Duration MAX_BETWEEN = Duration.ofMillis(500);

    /**
     * The inverse of the largest share of time that signalled runs take, unless a run is too long for {@link
     * #MAX_BETWEEN}.
     */
    private static final int SHARE = 5;

    private Duration between = MAX_BETWEEN;

    /** Records that a run ended. */
    void ran(Duration took) {
        between = Durations.min(Durations.max(took.multipliedBy(SHARE), MIN_BETWEEN), MAX_BETWEEN);
    }

    /** Returns the time from the beginning of the last run to the beginning of a signalled one. */
    Duration between() {
        return between;
    }
}
