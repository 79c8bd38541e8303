package org.azuremail.storage.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call.Kind;
import org.azuremail.time.Time;

/** Items by id. The item that has been visible for the longest time is delivered first. */
final class SimulatedQueues implements QueueStore {

    private final SimulatedStorage storage;
    private final Time time;
    private final Map<String, Map<String, QueueItem>> queues = new HashMap<>();

    SimulatedQueues(SimulatedStorage storage, Time time) {
        this.storage = storage;
        this.time = time;
    }

    void copyOf(SimulatedQueues other) {
        other.queues.forEach((name, items) -> queues.put(name, new LinkedHashMap<>(items)));
    }

    Set<String> names() {
        return queues.keySet();
    }

    @Override
    public void createQueue(String queue) {
        storage.call(
                Kind.CREATE_QUEUE,
                queue,
                "",
                () -> "",
                () -> queues.computeIfAbsent(queue, name -> new LinkedHashMap<>()));
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        storage.call(Kind.SEND, queue, "", () -> text, () -> {
            String id = "i" + storage.nextSequence();
            Instant now = time.instant();
            return items(queue).put(id, new QueueItem(id, "", text, 0, now, now.plus(delay)));
        });
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        return storage.call(Kind.RECEIVE, queue, "", () -> max + " for " + visibility, () -> {
            List<QueueItem> received = new ArrayList<>();
            for (QueueItem item : visible(queue, max)) {
                received.add(hide(queue, item, item.dequeueCount() + 1, visibility));
            }
            return received;
        });
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        return storage.call(
                Kind.RENEW,
                queue,
                "",
                item::text,
                () -> holds(queue, item)
                        ? Optional.of(hide(queue, item, item.dequeueCount(), visibility))
                        : Optional.empty());
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        return storage.call(
                Kind.DELETE_ITEM,
                queue,
                "",
                item::text,
                () -> holds(queue, item) && items(queue).remove(item.id()) != null);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        return storage.call(Kind.PEEK, queue, "", () -> "", () -> visible(queue, max).stream()
                .map(SimulatedQueues::withoutReceipt)
                .toList());
    }

    @Override
    public long approximateCount(String queue) {
        return storage.call(
                Kind.COUNT, queue, "", () -> "", () -> (long) items(queue).size());
    }

    private List<QueueItem> visible(String queue, int max) {
        Instant now = time.instant();
        return items(queue).values().stream()
                .filter(item -> !item.visibleAt().isAfter(now))
                .sorted(Comparator.comparing(QueueItem::visibleAt))
                .limit(max)
                .toList();
    }

    private QueueItem hide(String queue, QueueItem item, int dequeueCount, Duration visibility) {
        QueueItem hidden = new QueueItem(
                item.id(),
                "r" + storage.nextSequence(),
                item.text(),
                dequeueCount,
                item.insertedAt(),
                time.instant().plus(visibility));
        items(queue).put(item.id(), hidden);
        return hidden;
    }

    private static QueueItem withoutReceipt(QueueItem item) {
        return new QueueItem(item.id(), "", item.text(), item.dequeueCount(), item.insertedAt(), item.visibleAt());
    }

    private boolean holds(String queue, QueueItem item) {
        QueueItem current = items(queue).get(item.id());
        return current != null && !item.receipt().isEmpty() && current.receipt().equals(item.receipt());
    }

    private Map<String, QueueItem> items(String queue) {
        Map<String, QueueItem> items = queues.get(queue);
        if (items == null) {
            throw new StorageException(StorageException.Reason.MISSING, "there is no queue " + queue, null);
        }
        return items;
    }
}
