package org.azuremail.work.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.version.StoreGate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes items off the queues of one service, or of several that share its places, and has them handled, several at a
 * time. Of several queues those are looked at most that had items lately; none is forgotten. One thread calls
 * {@link #runOnce}; handlers run on the executor of the {@link WorkRuntime}.
 *
 * @param <T> what an item says
 */
public final class QueueRunner<T> {

    private static final Logger log = LoggerFactory.getLogger(QueueRunner.class);

    private final WorkRuntime runtime;
    private final QueueStore queues;
    private final List<? extends QueueService<? extends T>> services;
    private final int concurrency;
    private final Executor executor;
    private final Runnable onFree;
    private final FairChoice<Source> choice;
    private final Set<String> made = new HashSet<>();
    private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();
    private final Set<HeldItem> inFlight = new HashSet<>();
    private final Lock lock = new ReentrantLock();
    private final Condition handlerEnded = lock.newCondition();
    private final Appointments shownAgain;

    QueueRunner(
            WorkRuntime runtime,
            List<? extends QueueService<? extends T>> services,
            int concurrency,
            Runnable onFree,
            DoubleSupplier random) {
        this.runtime = runtime;
        this.queues = runtime.storage().queues();
        this.services = services;
        this.concurrency = concurrency;
        this.executor = runtime.executor();
        this.onFree = onFree;
        this.choice = new FairChoice<>(
                random, runtime.time(), source -> source.service().priority());
        this.shownAgain = new Appointments(runtime.time());
        runtime.metrics().pool(queues(), concurrency);
    }

    /**
     * Takes as many items as may be handled at once, at most 32 and all of one queue, and begins with them. Takes none
     * when all queues are empty, all places are taken or the process stops. Where a newer program has upgraded the storage
     * the items that were taken show again for others.
     *
     * @return how many were taken
     * @throws org.azuremail.storage.StorageException when a queue is out of reach and the others are empty
     */
    public int runOnce() {
        return runOnce(queue -> true);
    }

    /** @param running which queues items are taken from at present, by the product's names; what is under way asks again */
    public int runOnce(Predicate<String> running) {
        int free = free();
        if (free == 0 || runtime.stopping().isRequested()) {
            return 0;
        }
        Optional<StorageException> outOfReach = Optional.empty();
        List<Source> left = sources(running);
        while (!left.isEmpty()) {
            Source source = choice.next(left);
            left.remove(source);
            try {
                int taken = take(source, Math.min(free, QueueStore.MAX_RECEIVE), running);
                if (taken > 0) {
                    return taken;
                }
            } catch (StorageException e) {
                choice.looked(source, false);
                outOfReach = Optional.of(e);
            }
        }
        outOfReach.ifPresent(problem -> {
            throw problem;
        });
        return 0;
    }

    /** What it takes items from, by the product's names. */
    public List<String> queues() {
        return services.stream().map(service -> service.itemType().queue()).toList();
    }

    /** The queue, or all of them. */
    public String queue() {
        return String.join(", ", queues());
    }

    private List<Source> sources(Predicate<String> running) {
        List<Source> sources = new ArrayList<>();
        for (QueueService<?> service : services) {
            if (!running.test(service.itemType().queue())) {
                continue;
            }
            runtime.partitions()
                    .toRead(service.itemType().queue())
                    .forEach(queue -> sources.add(new Source(service, queue)));
        }
        return sources;
    }

    private int take(Source source, int max, Predicate<String> running) {
        if (!made.contains(source.queue())) {
            queues.createQueue(source.queue());
            made.add(source.queue());
        }
        List<QueueItem> items = source.receive(queues, max);
        choice.looked(source, !items.isEmpty());
        runtime.metrics().received(source.name(), items.size());
        if (!items.isEmpty() && !runtime.leases().gate().open(StoreGate.BUSY)) {
            return 0;
        }
        items.forEach(item -> begin(source, item, running));
        return items.size();
    }

    /** How many more items may be handled now. */
    public int free() {
        lock.lock();
        try {
            return concurrency - inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    /** How long to rest on an empty queue: less when an item that was handed back here shows again before. */
    public Duration restWithin(Duration rest) {
        return shownAgain.within(rest);
    }

    /** Whether all handlers have ended within the time, by the machine's own clock. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
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
    public void interrupt() {
        handlers.forEach(Thread::interrupt);
    }

    private void begin(Source source, QueueItem item, Predicate<String> running) {
        String name = source.service().itemType().queue();
        BooleanSupplier stopping = () -> runtime.stopping().isRequested() || !running.test(name);
        HeldItem held = new HeldItem(queues, source.queue(), source.service().visibility(), item, stopping);
        runtime.renewals().add(held);
        addInFlight(held);
        try {
            executor.execute(() -> work(source, held));
        } catch (RuntimeException | Error notBegun) {
            end(held);
            throw notBegun;
        }
    }

    private void work(Source source, HeldItem held) {
        Duration began = runtime.time().elapsed();
        handlers.add(Thread.currentThread());
        try {
            Handling.Outcome outcome = runtime.handling(source.service(), held).handle();
            held.shownAfter().ifPresent(shownAgain::add);
            runtime.metrics()
                    .handled(source.name(), outcome, runtime.time().elapsed().minus(began));
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
