package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;

/** Hides nothing for longer than a second, for storages whose clock nobody can drive. */
public final class HastyQueues implements QueueStore {

    public static final Duration LONGEST = Duration.ofSeconds(1);

    private final QueueStore queues;

    private HastyQueues(QueueStore queues) {
        this.queues = queues;
    }

    public static Storage of(Storage storage) {
        return new Storage(storage.tables(), new HastyQueues(storage.queues()), storage.blobs());
    }

    private static Duration atMost(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
    }

    @Override
    public void createQueue(String queue) {
        queues.createQueue(queue);
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        queues.send(queue, text, atMost(delay));
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        return queues.receive(queue, max, atMost(visibility));
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        return queues.renew(queue, item, atMost(visibility));
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        return queues.delete(queue, item);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        return queues.peek(queue, max);
    }

    @Override
    public long approximateCount(String queue) {
        return queues.approximateCount(queue);
    }
}
