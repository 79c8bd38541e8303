package org.azuremail.work.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.work.service.QueueService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes items off the queues of one service, or of several that share its places, and has several of them handled at a
 * time. Queues of the lowest rank come first ({@link StrictPriorityOrder}). Among those, the ones that had items lately
 * are polled most, but none is left out. One thread calls {@link #runOnce}; handlers run on the executor of the {@link
 * WorkRuntime}.
 *
 * @param <T> the type of the items
 */
public final class QueueRunner<T> {

    /**
     * The time for which a run that began because its queue had aged keeps its place, even if more urgent work waits.
     */
    public static final Duration AGED_RUN_MIN_TIME = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(QueueRunner.class);

    private final WorkRuntime runtime;
    private final QueueStore queues;
    private final List<? extends QueueService<? extends T>> services;
    private final AdaptivePlaces places;
    private final Executor executor;
    private final Runnable onFree;
    private final StrictPriorityOrder order;
    private final Set<String> created = new HashSet<>();
    private final RunningItems runningItems = new RunningItems();
    private final DueTimes nextVisible;
    private final QueueLimit limit;

    /**
     * @param services the services that share their places
     * @param maxPlaces the most items at the same time while many wait
     * @param random returns numbers from 0 to 1, which choose among the queues
     */
    public QueueRunner(
            WorkRuntime runtime,
            List<? extends QueueService<? extends T>> services,
            int minPlaces,
            int maxPlaces,
            Runnable onFree,
            DoubleSupplier random) {
        this.runtime = runtime;
        this.queues = runtime.storage().queues();
        this.services = services;
        this.places = new AdaptivePlaces(runtime, queues(), minPlaces, maxPlaces);
        this.executor = runtime.executor();
        this.onFree = onFree;
        this.order = new StrictPriorityOrder(
                random, runtime.time(), source -> runtime.tuning().priority(source.service()));
        this.nextVisible = new DueTimes(runtime.time());
        this.limit = new QueueLimit(runtime.time());
    }

    /**
     * Takes as many items as may be handled now, at most 32 and all of one queue, and begins to handle them. Takes none
     * if all queues are empty, all places are taken or the process is stopping. If a newer program has upgraded the
     * storage, the items that were taken become visible again for others.
     *
     * @return the number of items taken
     * @throws org.azuremail.storage.StorageException if a queue is out of reach and the others are empty
     */
    public int runOnce() {
        return runOnce(queue -> true, false);
    }

    /**
     * @param running returns whether items may be taken from a queue, given the product's name of it; items in progress
     *     ask again
     * @param quiet whether no item is expected, so that only queues are polled whose items no producer would queue
     *     again
     */
    public int runOnce(Predicate<String> running, boolean quiet) {
        int free = free();
        if (free <= 0 || runtime.stopFlag().isRequested()) {
            return 0;
        }
        Optional<StorageException> outOfReach = Optional.empty();
        List<QueueSource> left = sources(running, quiet);
        order.open(left);
        while (!left.isEmpty()) {
            StrictPriorityOrder.Turn turn = order.next(left);
            left.remove(turn.source());
            try {
                int max = turn.aged() ? 1 : Math.min(free, QueueStore.MAX_RECEIVE);
                int taken = take(turn, max, running);
                if (taken > 0) {
                    return taken;
                }
            } catch (StorageException e) {
                // The queue may have been deleted: the next poll creates it again.
                created.remove(turn.source().queue());
                order.polled(turn, List.of());
                outOfReach = Optional.of(e);
            }
        }
        outOfReach.ifPresent(problem -> {
            throw problem;
        });
        places.foundEmpty();
        return 0;
    }

    /**
     * Asks runs of the highest ranks to end soon if all places are taken and items of a lower rank wait. As many runs
     * are asked as items wait. The items of these runs become visible again immediately. This costs one call for each
     * queue that precedes a run.
     *
     * <p>A run that began because its queue had aged keeps its place for {@link #AGED_RUN_MIN_TIME}. Otherwise it would
     * repeatedly have to end before it has done anything.
     *
     * @return whether a run kept its place, so that it must be asked later
     */
    public boolean requestYield(Predicate<String> running) {
        List<RunningItems.Run> runs = runningItems.lastToFirst();
        if (runs.isEmpty()) {
            return false;
        }
        Duration now = runtime.time().elapsed();
        boolean kept = false;
        int last = runs.get(0).rank();
        for (QueueSource source : sources(running, false)) {
            int rank = source.service().rank();
            int waiting = rank < last ? waiting(source.queue()) : 0;
            List<HeldItem> asked = runs.stream()
                    .filter(run -> run.rank() > rank)
                    .limit(waiting)
                    .map(RunningItems.Run::item)
                    .toList();
            asked.stream().filter(run -> !run.keepsPlace(now)).forEach(HeldItem::requestYield);
            kept |= asked.stream().anyMatch(run -> run.keepsPlace(now));
        }
        return kept;
    }

    private int waiting(String queue) {
        try {
            createIfUnknown(queue);
            return queues.peek(queue, QueueStore.MAX_RECEIVE).size();
        } catch (StorageException e) {
            // The queue may have been deleted, as in runOnce.
            created.remove(queue);
            throw e;
        }
    }

    private void createIfUnknown(String queue) {
        if (!created.contains(queue)) {
            queues.createQueue(queue);
            created.add(queue);
        }
    }

    /** Returns the queues that it takes items from, by the product's names. */
    public List<String> queues() {
        return services.stream().map(QueueService::queue).toList();
    }

    public String queueNames() {
        return String.join(", ", queues());
    }

    private List<QueueSource> sources(Predicate<String> running, boolean quiet) {
        List<QueueSource> sources = new ArrayList<>();
        for (QueueService<?> service : services) {
            if (!open(service, running) || (quiet && !service.safetyPolled())) {
                continue;
            }
            runtime.queues()
                    .partitions()
                    .toRead(service.queue())
                    .forEach(queue -> sources.add(new QueueSource(service, queue)));
        }
        return sources;
    }

    private static boolean open(QueueService<?> service, Predicate<String> running) {
        return running.test(service.queue()) && service.closedFor().isZero();
    }

    private int take(StrictPriorityOrder.Turn turn, int max, Predicate<String> running) {
        QueueSource source = turn.source();
        createIfUnknown(source.queue());
        int free = limit.free(source.queue(), runtime.tuning().perSecond(source.service()), max);
        if (free == 0) {
            nextVisible.add(limit.untilFree(source.queue()));
            return 0;
        }
        List<QueueItem> items =
                queues.receive(source.queue(), free, source.service().visibility());
        limit.took(source.queue(), items.size());
        order.polled(turn, items);
        runtime.metrics().received(source.service().queue(), items.size());
        if (!items.isEmpty() && places.countingIsDue()) {
            List<QueueSource> existing = sources(running, false).stream()
                    .filter(one -> created.contains(one.queue()))
                    .toList();
            places.adapt(items.size() == free && !turn.aged(), existing);
        }
        if (!items.isEmpty() && !runtime.leases().gate().isOpen(StoreGate.BUSY)) {
            return 0;
        }
        items.forEach(item -> {
            runtime.metrics().begun(source.service(), item, runtime.time().instant(), turn.aged());
            begin(source, item, running, turn.aged());
        });
        return items.size();
    }

    /** Returns how many more items may be handled now. */
    public int free() {
        return places.now() - runningItems.size();
    }

    /**
     * Returns how long to rest on an empty queue. The rest is shorter if an item that was handed back here becomes
     * visible before.
     */
    public Duration restWithin(Duration rest) {
        return nextVisible.within(
                untilOpening().filter(opening -> opening.compareTo(rest) < 0).orElse(rest));
    }

    /** Returns the time until the hours of one of the services begin; empty if all are open. */
    private Optional<Duration> untilOpening() {
        return services.stream()
                .map(QueueService::closedFor)
                .filter(closed -> !closed.isZero())
                .min(Duration::compareTo);
    }

    /** Returns whether all handlers have ended within the time, by the machine's own clock. */
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        return runningItems.awaitNone(atMost);
    }

    /** Interrupts handlers that did not notice in time that the process is stopping. */
    public void interrupt() {
        runningItems.interrupt();
    }

    private void begin(QueueSource source, QueueItem item, Predicate<String> running, boolean aged) {
        BooleanSupplier stopping = () -> runtime.stopFlag().isRequested() || !open(source.service(), running);
        HeldItem held = new HeldItem(queues, source.queue(), source.service().visibility(), item, stopping);
        if (aged) {
            held.keepPlaceUntil(runtime.time().elapsed().plus(AGED_RUN_MIN_TIME));
        }
        runtime.renewals().add(held);
        runningItems.add(held, source.service().rank());
        try {
            executor.execute(() -> work(source, held));
        } catch (RuntimeException | Error notBegun) {
            end(held);
            throw notBegun;
        }
    }

    private void work(QueueSource source, HeldItem held) {
        Duration began = runtime.time().elapsed();
        runningItems.handling(Thread.currentThread());
        try {
            ItemHandling.Outcome outcome = new ItemHandling<>(source.service(), held, runtime).handle();
            held.shownAfter().ifPresent(nextVisible::add);
            runtime.metrics()
                    .handled(
                            source.service().queue(),
                            outcome,
                            runtime.time().elapsed().minus(began));
        } catch (RuntimeException e) {
            if (!FailureLog.explained(e)) {
                LOG.warn("{} comes again: its end could not be stored", held, e);
            } else if (runtime.failures().shouldLogItem(source.queue(), e)) {
                LOG.warn("{} comes again: its end could not be stored: {}", held, e.toString());
            }
        } finally {
            runningItems.handled(Thread.currentThread());
            end(held);
        }
    }

    private void end(HeldItem held) {
        runtime.renewals().remove(held);
        if (runningItems.remove(held, places.now())) {
            onFree.run();
        }
    }
}
