package org.azuremail.storage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;

/** Queues whose calls are counted. */
final class CountedQueues implements QueueStore {

    private final QueueStore real;
    private final PortCalls calls;

    CountedQueues(QueueStore real, StorageCalls calls) {
        this.real = real;
        this.calls = new PortCalls(Store.QUEUE, calls);
    }

    @Override
    public void createQueue(String queue) {
        calls.make(Operation.CREATE, queue, () -> real.createQueue(queue));
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        calls.make(Operation.SEND, queue, () -> real.send(queue, text, delay));
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        return calls.make(Operation.RECEIVE, queue, () -> real.receive(queue, max, visibility));
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        return calls.make(Operation.RENEW, queue, () -> real.renew(queue, item, visibility), Optional::isPresent);
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        return calls.make(Operation.DELETE, queue, () -> real.delete(queue, item), deleted -> deleted);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        return calls.make(Operation.PEEK, queue, () -> real.peek(queue, max));
    }

    @Override
    public long approximateCount(String queue) {
        return calls.make(Operation.COUNT, queue, () -> real.approximateCount(queue));
    }
}
