package org.azuremail.subscription;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.list.ListName;
import org.azuremail.storage.StorageException;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.work.queue.WorkQueues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts stored confirmations on their queue in the background, so people who ask to join do not wait for it.
 * Confirmations that arrive while others are being queued are queued together. If one is lost here, the scheduler finds
 * it by its {@code wait:} row.
 */
final class ConfirmationQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmationQueue.class);
    private static final int MAX_WAITING = 10_000;
    private static final int MAX_TOGETHER = 100;

    private final WorkQueues queues;
    private final Executor sender;
    private final BlockingQueue<ConfirmationItem> waiting = new LinkedBlockingQueue<>(MAX_WAITING);

    /** The number of confirmations for which there was no room. */
    private final AtomicInteger rejected = new AtomicInteger();

    /** Whether the sender was asked to run and has not started yet. */
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** @param sender a single thread that puts confirmations on the queue */
    ConfirmationQueue(WorkQueues queues, Executor sender) {
        this.queues = queues;
        this.sender = sender;
    }

    public void send(ListName list, SubscriberGuid guid) {
        if (!waiting.offer(new ConfirmationItem(guid, list))) {
            rejected.incrementAndGet();
        }
        if (scheduled.compareAndSet(false, true)) {
            sender.execute(this::sendWaiting);
        }
    }

    private void sendWaiting() {
        scheduled.set(false);
        List<ConfirmationItem> some = new ArrayList<>();
        while (waiting.drainTo(some, MAX_TOGETHER) > 0) {
            put(some);
            some.clear();
        }
        int left = rejected.getAndSet(0);
        if (left > 0) {
            LOG.warn("Too many confirmations waited for their queue; {} will be there within two minutes.", left);
        }
    }

    private void put(List<ConfirmationItem> some) {
        try {
            queues.putEach(some);
        } catch (StorageException e) {
            LOG.warn("{} confirmations could not be queued; they will be within two minutes.", some.size(), e);
        }
    }

    @Override
    public void close() {
        sendWaiting();
    }
}
