package org.azuremail.web.connector;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.azuremail.web.connector.RequestBody.Arrival;

/**
 * All bodies that are on their way. Together they are a sixteenth of the memory at most: when a piece that arrives is too
 * much, those that have waited longest give way. A client of good will is done before it is the oldest. Safe for many
 * threads.
 */
final class BodiesAwaited {

    /** The time that a body of {@link RequestBody#SMALL} bytes may take, and one of any size before it has to be quick. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Large bodies that are read at once, each by a thread that waits for it; there are 200 threads. */
    static final int LARGE_AT_ONCE = 20;

    private static final int SHARE_OF_MEMORY = 16;

    private final Map<RequestBody, Integer> sizes = new LinkedHashMap<>();
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final long most;
    private final Duration patience;
    private long total;

    BodiesAwaited() {
        this(Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY, PATIENCE);
    }

    /** @param most in bytes */
    BodiesAwaited(long most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    Duration patience() {
        return patience;
    }

    /** A body is waited for from now on, or has so many bytes more. */
    synchronized void grew(RequestBody body, int more) {
        sizes.merge(body, more, Integer::sum);
        total += more;
        Iterator<Map.Entry<RequestBody, Integer>> oldest = sizes.entrySet().iterator();
        while (total > most && oldest.hasNext()) {
            Map.Entry<RequestBody, Integer> next = oldest.next();
            if (next.getKey() != body) {
                total -= next.getValue();
                oldest.remove();
                next.getKey().giveWay();
            }
        }
    }

    /** A body is no longer waited for. */
    synchronized void over(RequestBody body, Arrival as) {
        body.endWait(as);
        Integer size = sizes.remove(body);
        total -= size == null ? 0 : size;
    }

    /** The number of bodies that are waited for. */
    synchronized int count() {
        return sizes.size();
    }

    /** In bytes: what they take together. */
    synchronized long held() {
        return total;
    }

    /** Returns whether one more large body may be read; a caller that may calls {@link #wasRead} once. */
    boolean mayRead() {
        return large.tryAcquire();
    }

    void wasRead() {
        large.release();
    }
}
