package org.azuremail.web.connector;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that clients sent before they had received the answer to the previous one. Only a few are served at once,
 * and each waits behind the requests of other connections. A client that waits for each answer, as browsers do, is
 * served in between. Safe for use from many threads.
 */
final class PipelinedRequests {

    /** The most requests served at once, of 200 threads. */
    static final int MAX_REQUESTS = 8;

    private final Queue<BooleanSupplier> waiting = new ArrayDeque<>();
    private int begun;

    /** @param call begins a call, perhaps later, and returns whether it began; if so, {@link #release} must follow */
    void await(BooleanSupplier call) {
        if (tryBegin(call) && !call.getAsBoolean()) {
            release();
        }
    }

    private synchronized boolean tryBegin(BooleanSupplier call) {
        if (begun == MAX_REQUESTS) {
            waiting.add(call);
            return false;
        }
        begun++;
        return true;
    }

    /** Ends a call that began, because it was served or its connection was lost. */
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
