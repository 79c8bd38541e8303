package org.azuremail.watcher;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The watchers whose turn is due, and the threads that take their turns. A thread takes turns until no watcher is due.
 * There are never more threads than turns may be taken at once. The host's thread adds watchers and starts the threads.
 */
final class TurnQueue {

    private final int atOnce;
    private final Executor executor;
    private final Queue<HeldWatcher> due = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threads = new AtomicInteger();

    TurnQueue(int atOnce, Executor executor) {
        this.atOnce = atOnce;
        this.executor = executor;
    }

    void add(HeldWatcher watcher) {
        watcher.begin();
        due.add(watcher);
    }

    /**
     * Starts threads for the watchers that are due. A watcher that is added just as the last thread ends waits for the
     * next call.
     */
    void dispatch() {
        int more = Math.min(due.size(), atOnce - threads.get());
        for (int thread = 0; thread < more; thread++) {
            threads.incrementAndGet();
            executor.execute(this::takeTurns);
        }
    }

    /** Returns whether a turn is under way or waits for a thread. */
    boolean busy() {
        return threads.get() > 0 || !due.isEmpty();
    }

    private void takeTurns() {
        try {
            for (HeldWatcher next = due.poll(); next != null; next = due.poll()) {
                next.turn();
            }
        } finally {
            threads.decrementAndGet();
        }
    }
}
