package org.azuremail.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes items off the queue of one service and has them handled, several at a time. One thread calls {@link #runOnce};
 * handlers run on the executor of the {@link WorkRuntime}.
 *
 * @param <T> what an item says
 */
public final class QueueRunner<T> {

    private static final Logger log = LoggerFactory.getLogger(QueueRunner.class);

    private final WorkRuntime runtime;
    private final QueueStore queues;
    private final QueueService<T> service;
    private final String queue;
    private final int concurrency;
    private final Executor executor;
    private final Runnable onFree;
    private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();
    private final Set<HeldItem> inFlight = new HashSet<>();
    private final Lock lock = new ReentrantLock();
    private final Condition handlerEnded = lock.newCondition();
    private final Appointments shownAgain;
    private boolean made;

    QueueRunner(WorkRuntime runtime, QueueService<T> service, int concurrency, Runnable onFree) {
        this.runtime = runtime;
        this.queues = runtime.storage().queues();
        this.service = service;
        this.queue = service.itemType().queue();
        this.concurrency = concurrency;
        this.executor = runtime.executor();
        this.onFree = onFree;
        this.shownAgain = new Appointments(runtime.time());
    }

    /**
     * Takes as many items as may be handled at once, at most 32, and begins with them. Takes none when all places are
     * taken or the process stops.
     *
     * @return how many were taken
     * @throws org.azuremail.storage.StorageException when the queue is out of reach
     */
    public int runOnce() {
        int free = free();
        if (free == 0 || runtime.stopping().isRequested()) {
            return 0;
        }
        if (!made) {
            queues.createQueue(queue);
            made = true;
        }
        List<QueueItem> items = queues.receive(queue, Math.min(free, QueueStore.MAX_RECEIVE), service.visibility());
        runtime.metrics().received(queue, items.size());
        items.forEach(this::begin);
        return items.size();
    }

    public String queue() {
        return queue;
    }

    /** How many more items may be handled now. */
    int free() {
        lock.lock();
        try {
            return concurrency - inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    /** How long to rest on an empty queue: less when an item that was handed back here shows again before. */
    Duration restWithin(Duration rest) {
        return shownAgain.within(rest);
    }

    /** Whether all handlers have ended within the time, by the machine's own clock. */
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!inFlight.isEmpty() && left > 0) {
                left = handlerEnded.awaitNanos(left);
            }
            return inFlight.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** For handlers that did not see in time that the process stops. */
    void interrupt() {
        handlers.forEach(Thread::interrupt);
    }

    private void begin(QueueItem item) {
        HeldItem held = new HeldItem(queues, queue, service.visibility(), item, runtime.stopping());
        runtime.renewals().add(held);
        addInFlight(held);
        try {
            executor.execute(() -> work(held));
        } catch (RuntimeException | Error notBegun) {
            end(held);
            throw notBegun;
        }
    }

    private void work(HeldItem held) {
        Duration began = runtime.time().elapsed();
        handlers.add(Thread.currentThread());
        try {
            Handling.Outcome outcome = runtime.handling(service, held).handle();
            held.shownAfter().ifPresent(shownAgain::add);
            runtime.metrics().handled(queue, outcome, runtime.time().elapsed().minus(began));
        } catch (RuntimeException e) {
            log.warn("{} comes again: its end could not be stored", held, e);
        } finally {
            handlers.remove(Thread.currentThread());
            end(held);
        }
    }

    private void end(HeldItem held) {
        runtime.renewals().remove(held);
        if (removeInFlight(held)) {
            onFree.run();
        }
    }

    private void addInFlight(HeldItem held) {
        lock.lock();
        try {
            inFlight.add(held);
        } finally {
            lock.unlock();
        }
    }

    /** @return whether all places were taken until now */
    private boolean removeInFlight(HeldItem held) {
        lock.lock();
        try {
            boolean wasFull = inFlight.size() == concurrency;
            handlerEnded.signalAll();
            return inFlight.remove(held) && wasFull;
        } finally {
            lock.unlock();
        }
    }
}
