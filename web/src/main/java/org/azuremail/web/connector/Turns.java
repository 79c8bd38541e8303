package org.azuremail.web.connector;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Requests that clients sent ahead, before they had the answer to the one before. Few are served at once, and each
 * connection's after those that wait already: a client that waits for each answer, as browsers do, comes in between. Safe for
 * many threads.
 */
final class Turns {

    /** Of 200 threads. */
    static final int AT_ONCE = 8;

    /** A call that waits here. */
    @FunctionalInterface
    interface Call {
        /** It may begin; whether it will. If so {@link #over} follows. */
        boolean begin();
    }

    private final Queue<Call> waiting = new ArrayDeque<>();
    private int begun;

    void await(Call call) {
        if (mayBegin(call) && !call.begin()) {
            over();
        }
    }

    private synchronized boolean mayBegin(Call call) {
        if (begun == AT_ONCE) {
            waiting.add(call);
            return false;
        }
        begun++;
        return true;
    }

    /** One that began is served, or its connection is gone. */
    void over() {
        Call next = next();
        while (next != null && !next.begin()) {
            next = next();
        }
    }

    private synchronized @Nullable Call next() {
        Call next = waiting.poll();
        if (next == null) {
            begun--;
        }
        return next;
    }
}
