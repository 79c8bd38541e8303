package org.azuremail.web.connector;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that clients sent before they had the answer to the previous one. Few are served at once, and each waits behind the
 * requests of other connections: a client that waits for each answer, as browsers do, is served in between. Safe for use from
 * many threads.
 */
final class PipelinedRequests {

    /** There are 200 threads. */
    static final int AT_ONCE = 8;

    private final Queue<BooleanSupplier> waiting = new ArrayDeque<>();
    private int begun;

    /** @param call lets a call begin, now or later; returns whether it does. Then {@link #release} must follow */
    void await(BooleanSupplier call) {
        if (tryBegin(call) && !call.getAsBoolean()) {
            release();
        }
    }

    private synchronized boolean tryBegin(BooleanSupplier call) {
        if (begun == AT_ONCE) {
            waiting.add(call);
            return false;
        }
        begun++;
        return true;
    }

    /** A call that began was served, or its connection is gone. */
    void release() {
        BooleanSupplier next = next();
        while (next != null && !next.getAsBoolean()) {
            next = next();
        }
    }

    private synchronized @Nullable BooleanSupplier next() {
        BooleanSupplier next = waiting.poll();
        if (next == null) {
            begun--;
        }
        return next;
    }
}
