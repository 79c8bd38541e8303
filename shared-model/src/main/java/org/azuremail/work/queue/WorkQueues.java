package org.azuremail.work.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.work.signal.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts work on queues. The queue of an item follows from its class, by its {@link ItemType}, and is created if it does
 * not exist. Consumers are signalled only after the item is stored. Safe for use from many threads.
 *
 * <p>After a {@link org.azuremail.storage.StorageException} it is unknown whether the item was stored. Put it again,
 * since handlers are idempotent.
 */
public final class WorkQueues {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueues.class);

    private final QueueStore queues;
    private final Payloads payloads;
    private final Partitions partitions;
    private final ItemTypes types;
    private final Signals signals;
    private final Set<String> created = ConcurrentHashMap.newKeySet();

    /**
     * @param types returns the types of all items; called at the first put, because services may need this object
     *     themselves
     */
    public WorkQueues(
            Storage storage,
            Payloads payloads,
            Partitions partitions,
            Supplier<List<ItemType<?>>> types,
            Signals signals) {
        this.queues = storage.queues();
        this.payloads = payloads;
        this.partitions = partitions;
        this.types = new ItemTypes(types);
        this.signals = signals;
    }

    /**
     * Stores an item durably. Consumers see it immediately. A large item is stored in a blob, which is transparent to
     * callers.
     */
    public <T> void put(T item) {
        put(item, Duration.ZERO);
    }

    /**
     * Stores an item durably. Consumers see it after the delay, which is at most {@link QueueStore#MAX_VISIBILITY}.
     *
     * @throws IllegalArgumentException if the item's class has no {@link ItemType}
     */
    public <T> void put(T item, Duration delay) {
        ItemType<T> type = types.of(item);
        putText(type.queue(), type.write(item), delay);
    }

    /**
     * Stores items durably in batches, each in a blob with one item of the queue. A batch has as many items as their
     * type suggests ({@link ItemType#together}), at most 10,000 and 16 MiB.
     *
     * <p>One handler takes the items of a batch in their order, and returns a result for each. Items that are done stay
     * done, even if the handler stops before the end. An item that fails or is postponed is queued by itself and does
     * not hold up the others. After a crash the remaining items are handled, and at most fifty that were done are
     * handled once more.
     *
     * @throws IllegalArgumentException if an item's class has no {@link ItemType}; nothing was stored
     */
    public <T> void putAll(List<T> items) {
        Map<ItemType<T>, List<String>> texts = new LinkedHashMap<>();
        for (T item : items) {
            ItemType<T> type = types.of(item);
            texts.computeIfAbsent(type, first -> new ArrayList<>()).add(type.write(item));
        }
        texts.forEach((type, ofType) ->
                Batches.split(ofType, type.together()).forEach(batch -> putBatch(type.queue(), batch)));
    }

    /**
     * Stores items durably, each as an item of the queue, in one call if the storage supports that. Consumers see them
     * immediately. If this throws, some of the items may be stored.
     *
     * @throws IllegalArgumentException if an item's class has no {@link ItemType}; nothing was stored
     */
    public <T> void putEach(List<T> items) {
        items.stream()
                .collect(Collectors.groupingBy(
                        item -> types.of(item).queue(),
                        LinkedHashMap::new,
                        Collectors.mapping(item -> types.of(item).write(item), Collectors.toList())))
                .forEach(this::putTexts);
    }

    /**
     * Returns the type of an item, which defines its text and its queue.
     *
     * @throws IllegalArgumentException if the item's class has none
     */
    public <T> ItemType<T> typeOf(T item) {
        return types.of(item);
    }

    private void putTexts(String queue, List<String> texts) {
        List<String> written =
                texts.stream().map(text -> payloads.pack(queue, text)).toList();
        send(partitions.toWrite(queue), partition -> queues.sendAll(partition, written));
        written.forEach(one -> payloads.markWaiting(queue, one));
        signals.workAvailable(queue);
    }

    private void putBatch(String queue, List<String> texts) {
        if (texts.size() == 1) {
            putText(queue, texts.get(0), Duration.ZERO);
        } else {
            putWritten(queue, payloads.store(queue, ItemText.Kind.BATCH, Batches.pack(texts)), Duration.ZERO);
        }
    }

    public Payloads payloads() {
        return payloads;
    }

    public void putText(String queue, String text, Duration delay) {
        putWritten(queue, payloads.pack(queue, text), delay);
    }

    private void putWritten(String queue, String written, Duration delay) {
        send(partitions.toWrite(queue), partition -> queues.send(partition, written, delay));
        payloads.markWaiting(queue, written);
        if (delay.isZero()) {
            signals.workAvailable(queue);
        }
    }

    /** Signals that work ended in a way that may need a person. */
    public void needAttention() {
        signals.needAttention();
    }

    /** Returns whether the queue had no items, not even hidden ones, at the time of the call. */
    public boolean isEmpty(String queue) {
        return partitions.toRead(queue).stream().allMatch(this::isPartitionEmpty);
    }

    public boolean isPartitionEmpty(String partition) {
        return approximateCount(partition) == 0;
    }

    /** Returns the approximate number of items of a queue of the storage, hidden ones included. */
    public long approximateCount(String partition) {
        return of(partition, () -> queues.approximateCount(partition));
    }

    public Partitions partitions() {
        return partitions;
    }

    /** Sends to a random partition, or to another one if that is out of reach. */
    private void send(List<String> partitions, Consumer<String> toPartition) {
        int first = ThreadLocalRandom.current().nextInt(partitions.size());
        for (int i = 0; ; i++) {
            String partition = partitions.get((first + i) % partitions.size());
            try {
                of(partition, () -> {
                    toPartition.accept(partition);
                    return true;
                });
                return;
            } catch (StorageException e) {
                if (i + 1 == partitions.size()) {
                    throw e;
                }
                LOG.warn("items go to another partition than {}: {}", partition, e.toString());
            }
        }
    }

    /**
     * Calls a queue, which is created first if it is not known to exist. After a failure the next call creates it
     * again, because it may have been deleted.
     */
    private <T> T of(String queue, Supplier<T> call) {
        if (!created.contains(queue)) {
            queues.createQueue(queue);
            created.add(queue);
        }
        try {
            return call.get();
        } catch (StorageException e) {
            created.remove(queue);
            throw e;
        }
    }
}
