package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;

/** Queues whose items arrive twice, late, out of order, or again while they are being handled. */
record UnreliableQueues(QueueStore real, Random random) implements QueueStore {

    @Override
    public void createQueue(String queue) {
        real.createQueue(queue);
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        real.send(queue, text, delay.plus(late(3)));
        if (random.nextInt(4) == 0) {
            real.send(queue, text, delay.plus(late(1)));
        }
    }

    private Duration late(int oneIn) {
        return random.nextInt(oneIn) == 0 ? Duration.ofSeconds(random.nextInt(100)) : Duration.ZERO;
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        boolean again = random.nextInt(5) == 0;
        return real.receive(queue, max, again ? Duration.ofSeconds(1 + random.nextInt(20)) : visibility);
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        return real.renew(queue, item, visibility);
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        return real.delete(queue, item);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        return real.peek(queue, max);
    }

    @Override
    public long approximateCount(String queue) {
        return real.approximateCount(queue);
    }
}
