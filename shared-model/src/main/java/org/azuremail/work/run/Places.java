package org.azuremail.work.run;

/**
 * Decides how many items a pool handles at the same time. The number follows the queue's length between two bounds: it doubles
 * when a look fills all places that are free, and is halved when a look finds nothing. Safe for use from many threads.
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

    void found(boolean all) {
        now = all ? Math.min(most, now * 2) : now;
    }

    void foundNothing() {
        now = Math.max(fewest, now / 2);
    }
}
