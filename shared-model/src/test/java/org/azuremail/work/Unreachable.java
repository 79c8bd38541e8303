package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;

/** A storage of which one queue is out of reach until it is repaired. */
public final class Unreachable implements QueueStore {

    private final Storage real;
    private final String queue;
    private boolean repaired;

    public Unreachable(Storage real, String queue) {
        this.real = real;
        this.queue = queue;
    }

    public Storage storage() {
        return new Storage(real.tables(), this, real.blobs());
    }

    public void repair() {
        repaired = true;
    }

    private QueueStore of(String asked) {
        if (asked.equals(queue) && !repaired) {
            throw new StorageException(StorageException.Reason.UNAVAILABLE, asked + " is out of reach", null);
        }
        return real.queues();
    }

    @Override
    public void createQueue(String asked) {
        of(asked).createQueue(asked);
    }

    @Override
    public void send(String asked, String text, Duration delay) {
        of(asked).send(asked, text, delay);
    }

    @Override
    public List<QueueItem> receive(String asked, int max, Duration visibility) {
        return of(asked).receive(asked, max, visibility);
    }

    @Override
    public Optional<QueueItem> renew(String asked, QueueItem item, Duration visibility) {
        return of(asked).renew(asked, item, visibility);
    }

    @Override
    public boolean delete(String asked, QueueItem item) {
        return of(asked).delete(asked, item);
    }

    @Override
    public List<QueueItem> peek(String asked, int max) {
        return of(asked).peek(asked, max);
    }

    @Override
    public long approximateCount(String asked) {
        return of(asked).approximateCount(asked);
    }
}
