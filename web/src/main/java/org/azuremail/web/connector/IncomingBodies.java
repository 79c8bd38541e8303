package org.azuremail.web.connector;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.azuremail.web.connector.RequestBody.Arrival;

/**
 * All bodies that are on their way. Together they take at most a sixteenth of the memory: when a piece that arrives is too much,
 * those that have waited longest give way. A normal client has finished before it is the oldest. Safe for use from many threads.
 */
final class IncomingBodies {

    /** The time for a body of {@link RequestBody#SMALL} bytes; a larger one has to be quick after that. */
    static final Duration SMALL_BODY_TIMEOUT = Duration.ofSeconds(30);

    /** Large bodies that are read at once, each by a thread that waits for it. There are 200 threads. */
    static final int LARGE_AT_ONCE = 20;

    private static final int SHARE_OF_MEMORY = 16;

    private final Map<RequestBody, Integer> sizes = new LinkedHashMap<>();
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final long maxBytes;
    private final Duration smallBodyTimeout;
    private long total;

    IncomingBodies() {
        this(Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY, SMALL_BODY_TIMEOUT);
    }

    /** @param maxBytes in bytes */
    IncomingBodies(long maxBytes, Duration smallBodyTimeout) {
        this.maxBytes = maxBytes;
        this.smallBodyTimeout = smallBodyTimeout;
    }

    Duration smallBodyTimeout() {
        return smallBodyTimeout;
    }

    /** A wait for a body begins, or the body has grown. */
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

    /** The wait for a body ends. */
    synchronized void over(RequestBody body, Arrival as) {
        body.endWait(as);
        Integer size = sizes.remove(body);
        total -= size == null ? 0 : size;
    }

    synchronized int count() {
        return sizes.size();
    }

    /** Their memory in bytes. */
    synchronized long held() {
        return total;
    }

    /** Returns whether one more large body may be read; if so, {@link #releaseLargeRead} must follow once. */
    boolean tryAcquireLargeRead() {
        return large.tryAcquire();
    }

    void releaseLargeRead() {
        large.release();
    }
}
