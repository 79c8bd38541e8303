package org.azuremail.work.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Durations;
import org.azuremail.work.lease.LeaseRenewals;
import org.azuremail.work.service.Delivery;

/** One delivery of an item, with the receipt that is valid now. */
final class HeldItem implements Delivery, LeaseRenewals.Renewable {

    private final QueueStore queues;
    private final String queue;
    private final Duration visibility;
    private final BooleanSupplier stopping;
    private volatile boolean yieldRequested;
    private volatile Duration keepsPlaceUntil = Duration.ZERO;
    private QueueItem item;
    private boolean lost;
    private boolean finished;
    private Optional<Duration> shownAfter = Optional.empty();

    /** @param stopping returns whether the process or the queue stops */
    HeldItem(QueueStore queues, String queue, Duration visibility, QueueItem item, BooleanSupplier stopping) {
        this.queues = queues;
        this.queue = queue;
        this.visibility = visibility;
        this.item = item;
        this.stopping = stopping;
    }

    @Override
    public synchronized String itemId() {
        return item.id();
    }

    @Override
    public synchronized int dequeueCount() {
        return item.dequeueCount();
    }

    @Override
    public boolean stopping() {
        return yieldRequested || stopping.getAsBoolean();
    }

    /** Sets the time, by the monotonic clock, from which the run may be asked to end for more urgent work. */
    void keepPlaceUntil(Duration elapsed) {
        keepsPlaceUntil = elapsed;
    }

    boolean keepsPlace(Duration elapsed) {
        return elapsed.compareTo(keepsPlaceUntil) < 0;
    }

    /** Asks the run to end soon because more urgent work waits. */
    void requestYield() {
        yieldRequested = true;
    }

    @Override
    public Duration every() {
        return visibility.dividedBy(3);
    }

    @Override
    public synchronized boolean renew() {
        if (!finished) {
            hide(visibility);
        }
        return !finished && !lost;
    }

    /** Makes the item visible again after a delay, and finishes it here. */
    synchronized void showAfter(Duration delay) {
        finished = true;
        hide(bounded(delay));
        shownAfter = lost ? Optional.empty() : Optional.of(delay);
    }

    /** Returns the nearest delay that a queue accepts. */
    static Duration bounded(Duration delay) {
        return Durations.min(delay, QueueStore.MAX_VISIBILITY);
    }

    /** Returns the delay after which the item becomes visible again, if it was handed back. */
    synchronized Optional<Duration> shownAfter() {
        return shownAfter;
    }

    /**
     * Deletes the item, and finishes it here.
     *
     * @return false if another process has it, or if the answer to the deletion came too late
     */
    synchronized boolean delete() {
        finished = true;
        return queues.delete(queue, item);
    }

    synchronized QueueItem item() {
        return item;
    }

    /** Returns the text in the form in which it is on the queue. */
    synchronized String text() {
        return item.text();
    }

    private void hide(Duration duration) {
        Optional<QueueItem> renewed = queues.renew(queue, item, duration);
        item = renewed.orElse(item);
        lost = renewed.isEmpty();
    }

    @Override
    public synchronized String toString() {
        return "item " + item.id() + " of " + queue;
    }
}
