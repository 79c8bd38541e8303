package org.azuremail.watcher;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.watcher.Watchers.Capacity;

/** Finds the process with room for one more watcher. */
final class Placement {

    private Placement() {}

    static Capacity capacity(List<WatchService> living, List<Watcher> watchers) {
        Map<String, Long> used = new HashMap<>();
        long waiting = 0;
        for (Watcher watcher : watchers) {
            boolean placed = living.stream().anyMatch(service -> watcher.heldBy(service.id()));
            if (watcher.needsSlot() && placed) {
                used.merge(watcher.serviceId(), 1L, Long::sum);
            } else if (watcher.needsSlot()) {
                waiting++;
            }
        }
        long slots = living.stream().mapToLong(WatchService::workersCount).sum();
        return new Capacity(living, used, slots, waiting);
    }

    static Room room(Capacity capacity) {
        Map<String, Long> free = new HashMap<>();
        capacity.services()
                .forEach(service -> free.put(service.id(), service.workersCount() - capacity.usedBy(service)));
        return new Room(free, capacity.waiting());
    }

    /**
     * The free slots.
     *
     * @param waiting watchers that wait for one
     */
    record Room(Map<String, Long> slots, long waiting) {

        long free() {
            return slots.values().stream()
                            .filter(free -> free > 0)
                            .mapToLong(Long::longValue)
                            .sum()
                    - waiting;
        }

        boolean living(String service) {
            return slots.containsKey(service);
        }

        /** Takes a slot of the process that has the most. */
        Optional<String> take() {
            Optional<String> most = slots.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .max(Map.Entry.<String, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .map(Map.Entry::getKey);
            most.ifPresent(service -> slots.merge(service, -1L, Long::sum));
            return most;
        }
    }
}
