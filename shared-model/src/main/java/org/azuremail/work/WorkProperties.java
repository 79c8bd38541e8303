package org.azuremail.work;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.SafetyPoll;
import org.azuremail.work.signal.SignalSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How background work runs.
 *
 * @param maxIdle the longest rest of a loop whose queue is empty, when no signal wakes it
 * @param concurrency how many items a process handles at the same time, by queue; services have their own defaults
 * @param foreignLeaseGrace how long after its end another process's lease still counts: the most that two clocks differ;
 *     when it is not set, a minute, and nothing on the embedded storage, which has one machine and one clock
 * @param stopWithin how long work that has begun may take when the process stops
 * @param safetyPoll how often a queue is looked at although no signal came and nothing is known to be under way; {@code never}
 *     is allowed, and makes a process with all three roles reckon with being the only one: it leases nothing
 * @param signals where the process listens to the signals of others
 * @param overflowOver larger items travel by a blob; 1 byte to the 48 KB that a queue takes
 * @param partitions how many queues of the storage a queue is, by queue: one unless said otherwise; a change strands
 *     nothing
 */
@ConfigurationProperties("azuremail.work")
record WorkProperties(
        @DefaultValue("10s") Duration maxIdle,
        @DefaultValue Map<String, Integer> concurrency,
        @Nullable Duration foreignLeaseGrace,
        @DefaultValue("25s") Duration stopWithin,
        @DefaultValue("15m") SafetyPoll safetyPoll,
        @DefaultValue SignalSettings signals,
        @DefaultValue("8KB") DataSize overflowOver,
        @DefaultValue Map<String, Integer> partitions) {

    /** More at a time helps nobody: one call of a queue takes 32. */
    private static final int MAX_CONCURRENCY = 256;

    WorkProperties {
        concurrency = Map.copyOf(concurrency);
        partitions = Map.copyOf(partitions);
        require(maxIdle.compareTo(Duration.ofMillis(100)) >= 0, "max-idle must be at least 100ms");
        require(
                concurrency.values().stream().allMatch(items -> items >= 1 && items <= MAX_CONCURRENCY),
                "concurrency must be 1 to " + MAX_CONCURRENCY);
        require(foreignLeaseGrace == null || !foreignLeaseGrace.isNegative(), "foreign-lease-grace is negative");
        require(!stopWithin.isNegative() && stopWithin.compareTo(Duration.ofMinutes(5)) <= 0, "stop-within is over 5m");
        require(safetyPoll.every().compareTo(maxIdle) >= 0, "safety-poll must be at least max-idle, or never");
        require(
                overflowOver.toBytes() >= 1 && overflowOver.toBytes() <= QueueStore.MAX_TEXT_BYTES,
                "overflow-over must be 1B to 48KB");
        require(
                partitions.values().stream().allMatch(count -> count >= 1 && count <= Partitions.MOST),
                "partitions must be 1 to " + Partitions.MOST);
    }

    /** Whether a process with these roles may reckon with being the only one. */
    boolean alone(Set<Role> roles) {
        return safetyPoll.never() && roles.containsAll(Set.of(Role.values()));
    }

    int concurrencyOf(QueueService<?> service) {
        return concurrency.getOrDefault(service.itemType().queue(), service.concurrency());
    }

    Duration foreignLeaseGrace(StorageKind storage) {
        if (foreignLeaseGrace != null) {
            return foreignLeaseGrace;
        }
        return storage == StorageKind.EMBEDDED ? Duration.ZERO : Duration.ofMinutes(1);
    }

    private static void require(boolean valid, String problem) {
        if (!valid) {
            throw new IllegalArgumentException("azuremail.work: " + problem);
        }
    }
}
