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
 * Puts work on queues. The queue comes from the item's class, by its {@link ItemType}; it is made when it does not exist.
 * A consumer is told only after the item is stored. Safe for use from many threads.
 *
 * <p>After a {@link org.azuremail.storage.StorageException} nobody knows whether the item is there; put it again, since
 * handlers are idempotent.
 */
public final class WorkQueues {

    private static final Logger log = LoggerFactory.getLogger(WorkQueues.class);

    private final QueueStore queues;
    private final Payloads payloads;
    private final Partitions partitions;
    private final ItemTypes types;
    private final Signals signals;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    /** @param types of all items that are put; asked at the first put, because services may need this themselves */
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

    /** Stores an item, durably; a consumer sees it at once. A large one travels by a blob, which nobody notices. */
    public <T> void put(T item) {
        put(item, Duration.ZERO);
    }

    /**
     * Stores an item, durably; consumers see it after the delay, at most {@link QueueStore#MAX_VISIBILITY}.
     *
     * @throws IllegalArgumentException when the item's class has no {@link ItemType}
     */
    public <T> void put(T item, Duration delay) {
        ItemType<T> type = types.of(item);
        putText(type.queue(), type.write(item), delay);
    }

    /**
     * Stores items durably, many with one item of the queue: as many as their type suggests ({@link ItemType#together}), at most
     * 10,000 and 16 MiB, travel together in a blob. One handler takes them one after another in their order and says of each what
     * becomes of it: what is done is gone, also when the handler stops before the end; one that fails, or that is put off, goes
     * on alone and holds no other up. After a crash in the middle the rest is handled, and at most fifty that were done are
     * handled once more.
     *
     * @throws IllegalArgumentException when an item's class has no {@link ItemType}; nothing was stored
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
     * Stores items durably, each with an item of the queue; in one call where the storage has one for that. Consumers see them at once.
     * When this throws, some of them may be there.
     *
     * @throws IllegalArgumentException when an item's class has no {@link ItemType}; nothing was stored
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
     * The type of an item, which says how it becomes text and on which queue.
     *
     * @throws IllegalArgumentException when the item's class has none
     */
    public <T> ItemType<T> typeOf(T item) {
        return types.of(item);
    }

    private void putTexts(String queue, List<String> texts) {
        List<String> written =
                texts.stream().map(text -> payloads.pack(queue, text)).toList();
        send(partitions.toWrite(queue), partition -> queues.sendAll(partition, written));
        written.forEach(one -> payloads.waits(queue, one));
        signals.workWaits(queue);
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
        payloads.waits(queue, written);
        if (delay.isZero()) {
            signals.workWaits(queue);
        }
    }

    /** Work ended in a way that may need a person. */
    public void needAttention() {
        signals.needAttention();
    }

    /** The queues of the storage that one queue of the product is: one, unless it has partitions. */
    public List<String> partitionsOf(String queue) {
        return partitions.toRead(queue);
    }

    /** Returns whether nothing waits, hidden items included; for a moment that is over by now. */
    public boolean isEmpty(String queue) {
        return partitions.toRead(queue).stream().allMatch(this::isPartitionEmpty);
    }

    public boolean isPartitionEmpty(String partition) {
        return approximateCount(partition) == 0;
    }

    /** The items of a queue of the storage, hidden ones included. */
    public long approximateCount(String partition) {
        return of(partition, () -> queues.approximateCount(partition));
    }

    public Partitions partitions() {
        return partitions;
    }

    /** To one of them, at random; when that is out of reach, to another. */
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
                log.warn("items go to another partition than {}: {}", partition, e.toString());
            }
        }
    }

    /** A call for a queue that exists. After a failure, the next call creates it again, because somebody may have deleted it. */
    private <T> T of(String queue, Supplier<T> call) {
        if (!made.contains(queue)) {
            queues.createQueue(queue);
            made.add(queue);
        }
        try {
            return call.get();
        } catch (StorageException e) {
            made.remove(queue);
            throw e;
        }
    }
}
