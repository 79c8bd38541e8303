package org.azuremail.storage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Queues: checks each call before a back end sees it, and may count it. */
record CheckedQueues(QueueStore real, PortCalls calls) implements QueueStore {

    /** @param counts of the calls; {@code null} when nobody counts them */
    static CheckedQueues of(QueueStore store, @Nullable StorageCalls counts) {
        return new CheckedQueues(
                store instanceof CheckedQueues checked ? checked.real : store, new PortCalls(Store.QUEUE, counts));
    }

    @Override
    public void createQueue(String queue) {
        StorageNames.requireQueue(queue);
        calls.make(Operation.CREATE, queue, () -> real.createQueue(queue));
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        StorageLimits.checkSend(queue, text, delay);
        calls.make(Operation.SEND, queue, () -> real.send(queue, text, delay));
    }

    /** Counted as one call for each text: that is what an account charges for. */
    @Override
    public void sendAll(String queue, List<String> texts) {
        texts.forEach(text -> StorageLimits.checkSend(queue, text, Duration.ZERO));
        if (texts.isEmpty()) {
            return;
        }
        calls.make(Operation.SEND, queue, () -> real.sendAll(queue, texts));
        texts.stream().skip(1).forEach(text -> calls.answered(Operation.SEND, queue, true, 0));
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        StorageLimits.checkReceive(queue, max, visibility);
        return calls.make(Operation.RECEIVE, queue, () -> real.receive(queue, max, visibility));
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        StorageNames.requireQueue(queue);
        StorageLimits.checkVisibility(visibility);
        return calls.make(Operation.RENEW, queue, () -> real.renew(queue, item, visibility), Optional::isPresent);
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        StorageNames.requireQueue(queue);
        return calls.make(Operation.DELETE, queue, () -> real.delete(queue, item), deleted -> deleted);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        StorageLimits.checkPeek(queue, max);
        return calls.make(Operation.PEEK, queue, () -> real.peek(queue, max));
    }

    @Override
    public long approximateCount(String queue) {
        StorageNames.requireQueue(queue);
        return calls.make(Operation.COUNT, queue, () -> real.approximateCount(queue));
    }
}
