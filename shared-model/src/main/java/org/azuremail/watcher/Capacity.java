package org.azuremail.watcher;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The number of watchers that all processes together can take, and the number that each takes at present. */
public record Capacity(List<WatchService> services, Map<String, Long> used, long slots, long waiting) {

    static Capacity of(List<WatchService> living, List<Watcher> watchers) {
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

    /**
     * Returns whether the other processes could take every watcher if the process with the most slots in use were lost.
     */
    public boolean survivesLoss() {
        long free = slots - used.values().stream().mapToLong(Long::longValue).sum() - waiting;
        return services.size() > 1 && services.stream().allMatch(lost -> usedBy(lost) <= free - freeOn(lost));
    }

    public long usedBy(WatchService service) {
        return used.getOrDefault(service.id(), 0L);
    }

    private long freeOn(WatchService service) {
        return service.workersCount() - usedBy(service);
    }

    /** Returns the number of slots that are left once the waiting watchers have theirs. */
    long free() {
        return services.stream()
                        .mapToLong(this::freeOn)
                        .filter(free -> free > 0)
                        .sum()
                - waiting;
    }

    FreeSlots room() {
        return new FreeSlots(services.stream().collect(Collectors.toMap(WatchService::id, this::freeOn)));
    }

    /** The free slots of each process, from which the manager assigns. */
    record FreeSlots(Map<String, Long> slots) {

        boolean living(String service) {
            return slots.containsKey(service);
        }

        /** Takes a slot of the process that has the most free slots. */
        Optional<String> take() {
            Optional<String> max = slots.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .max(Map.Entry.<String, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .map(Map.Entry::getKey);
            max.ifPresent(service -> slots.merge(service, -1L, Long::sum));
            return max;
        }
    }
}
