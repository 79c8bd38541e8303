package org.azuremail.watcher;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watchers whose turn is due, and the threads that take their turns: a thread goes on until nobody waits, and however many are
 * due, there are no more threads than turns may be taken at once. Its host's thread adds watchers and moves the line on.
 */
final class TurnLine {

    private final int atOnce;
    private final Executor executor;
    private final Queue<HeldWatcher> due = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threads = new AtomicInteger();

    TurnLine(int atOnce, Executor executor) {
        this.atOnce = atOnce;
        this.executor = executor;
    }

    void add(HeldWatcher watcher) {
        watcher.begin();
        due.add(watcher);
    }

    /** A watcher that is added while the last thread takes its last look waits for the next call. */
    void move() {
        int more = Math.min(due.size(), atOnce - threads.get());
        for (int thread = 0; thread < more; thread++) {
            threads.incrementAndGet();
            executor.execute(this::takeTurns);
        }
    }

    /** Whether a turn is under way, or waits for a thread. */
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
