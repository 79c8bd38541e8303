package org.azuremail.web.connector;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.azuremail.web.connector.RequestBody.Arrival;

/**
 * All request bodies that are being received. Together they use at most a sixteenth of the memory: when a piece would
 * exceed that, the bodies that have waited longest are evicted. A normal client has sent its whole body before it is
 * the oldest. Safe for use from many threads.
 */
final class IncomingBodies {

    /** The time for {@link RequestBody#SMALL} bytes to arrive. After that, a larger body must keep a minimum speed. */
    static final Duration SMALL_BODY_TIMEOUT = Duration.ofSeconds(30);

    /** The most large bodies read at once. A thread waits for each, and there are 200 threads. */
    static final int MAX_LARGE_BODIES = 20;

    private static final int SHARE_OF_MEMORY = 16;

    private final Map<RequestBody, Integer> sizes = new LinkedHashMap<>();
    private final Semaphore large = new Semaphore(MAX_LARGE_BODIES);
    private final long maxBytes;
    private final Duration smallBodyTimeout;
    private long total;

    IncomingBodies() {
        this(Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY, SMALL_BODY_TIMEOUT);
    }

    /** @param maxBytes the most memory that all bodies may use together, in bytes */
    IncomingBodies(long maxBytes, Duration smallBodyTimeout) {
        this.maxBytes = maxBytes;
        this.smallBodyTimeout = smallBodyTimeout;
    }

    Duration smallBodyTimeout() {
        return smallBodyTimeout;
    }

    /** Records that the wait for a body begins, or that the body has grown. */
    synchronized void grew(RequestBody body, int more) {
        sizes.merge(body, more, Integer::sum);
        total += more;
        Iterator<Map.Entry<RequestBody, Integer>> oldest = sizes.entrySet().iterator();
        while (total > maxBytes && oldest.hasNext()) {
            Map.Entry<RequestBody, Integer> next = oldest.next();
            if (next.getKey() != body) {
                total -= next.getValue();
                oldest.remove();
                next.getKey().evict();
            }
        }
    }

    /** Ends the wait for a body. */
    synchronized void over(RequestBody body, Arrival as) {
        body.endWait(as);
        Integer size = sizes.remove(body);
        total -= size == null ? 0 : size;
    }

    synchronized int count() {
        return sizes.size();
    }

    /** Returns the memory of all bodies in bytes. */
    synchronized long held() {
        return total;
    }

    /**
     * Returns whether one more large body may be read. If so, {@link #releaseLargeRead} must be called once afterwards.
     */
    boolean tryAcquireLargeRead() {
        return large.tryAcquire();
    }

    void releaseLargeRead() {
        large.release();
    }
}
