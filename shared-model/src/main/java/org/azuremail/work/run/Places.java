package org.azuremail.work.run;

import java.time.Duration;

/**
 * Decides how many items a pool handles at the same time, between two bounds: as many as will have done the waiting work in
 * time, once it is known how long an item takes. Until then the number doubles when a look fills all places that are free. It is
 * halved when a look finds nothing. Safe for use from many threads.
 */
final class Places {

    private final int fewest;
    private final int most;
    private volatile int now;

    Places(int fewest, int most) {
        this.fewest = fewest;
        this.most = Math.max(fewest, most);
        this.now = fewest;
    }

    int now() {
        return now;
    }

    boolean fixed() {
        return fewest == most;
    }

    void filled() {
        now = Math.min(most, now * 2);
    }

    void foundNothing() {
        now = Math.max(fewest, now / 2);
    }

    /**
     * As many as are recommended.
     *
     * @param work the time that all waiting items take, one after the other
     */
    void recommend(Duration work, Duration within) {
        double wanted = Math.ceil((double) work.toMillis() / within.toMillis());
        now = (int) Math.max(fewest, Math.min(most, wanted));
    }
}
