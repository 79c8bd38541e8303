package org.azuremail.work.run;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The items of a runner that are being handled, in the order in which they began. Safe for use from many threads. */
final class RunningItems {

    private final Map<HeldItem, Integer> ranks = new LinkedHashMap<>();
    private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();
    private final Lock lock = new ReentrantLock();
    private final Condition oneEnded = lock.newCondition();

    /** @param rank the rank of the item's service; lower ranks are more urgent */
    record Run(HeldItem item, int rank) {}

    void add(HeldItem item, int rank) {
        locked(() -> ranks.put(item, rank));
    }

    /** @return whether the item was being handled and all these places were taken until now */
    boolean remove(HeldItem item, int places) {
        return locked(() -> {
            boolean wasFull = ranks.size() >= places;
            oneEnded.signalAll();
            return ranks.remove(item) != null && wasFull;
        });
    }

    int size() {
        return locked(ranks::size);
    }

    /** Returns the runs, those of the highest rank first. */
    List<Run> lastToFirst() {
        return locked(() -> ranks.entrySet().stream()
                .map(run -> new Run(run.getKey(), run.getValue()))
                .sorted(Comparator.comparingInt(run -> -run.rank()))
                .toList());
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether all have ended within the time, by the machine's own clock. */
    boolean awaitNone(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!ranks.isEmpty() && left > 0) {
                left = oneEnded.awaitNanos(left);
            }
            return ranks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void handling(Thread handler) {
        handlers.add(handler);
    }

    void handled(Thread handler) {
        handlers.remove(handler);
    }

    void interrupt() {
        handlers.forEach(Thread::interrupt);
    }
}
