package org.azuremail.work;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.ToIntFunction;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.pace.EvenPace;
import org.azuremail.work.pace.Pace;
import org.azuremail.work.pace.PollingCurve;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.signal.SignalSettings;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of background work.
 *
 * @param maxIdle the longest rest of a loop whose queue is empty, when no signal wakes it
 * @param concurrency how many items a process handles at the same time, by queue; services have their own defaults
 * @param mostConcurrency the most items that a process handles at the same time while many wait, by queue; the number
 *     varies between {@code concurrency} and this with the length of the queue, and is fixed if this is not set
 * @param foreignLeaseGrace how long another process's lease still counts after its end: the most that two clocks
 *     differ; the default is a minute, and zero on the embedded storage, which has one machine and one clock
 * @param stopWithin how long work that has begun may take when the process stops
 * @param safetyPoll how often a queue is polled although no signal came and no work is known to be under way; {@code
 *     never} makes a process with all three roles assume that it is the only one, so that it takes no leases
 * @param signals where the process listens to the signals of others
 * @param overflowOver the size above which an item is stored in a blob; 1 byte to the 48 KB that a queue takes
 * @param polling how a consumer polls its queue while that is empty
 * @param receiveWait how long one receive of a consumer waits for an item if {@code polling} is {@code long-poll}
 * @param limits how many items a second all processes together take from one queue of the storage, by queue; unlimited
 *     unless set here or on the console
 * @param pools the name of the pool of each queue; queues with the same pool share their places
 * @param partitions how many queues of the storage make up a queue, by queue; one by default; a change loses no item
 */
@Validated
@ConfigurationProperties("azuremail.work")
record WorkProperties(
        @DefaultValue("10s") @DurationMin(millis = 100) Duration maxIdle,
        @DefaultValue Map<String, @Min(1) @Max(WorkProperties.MAX_CONCURRENCY) Integer> concurrency,
        @DefaultValue Map<String, @Min(1) @Max(WorkProperties.MAX_CONCURRENCY) Integer> mostConcurrency,

        @DurationMin(message = "must not be negative") @Nullable
        Duration foreignLeaseGrace,

        @DefaultValue("25s") @DurationMin(message = "must not be negative") @DurationMax(minutes = 5)
        Duration stopWithin,

        @DefaultValue("15m") SafetyPoll safetyPoll,
        @DefaultValue @Valid SignalSettings signals,
        @DefaultValue("8KB") DataSize overflowOver,
        @DefaultValue Map<String, @Min(1) @Max(Partitions.MAX) Integer> partitions,
        @DefaultValue("adaptive") Polling polling,

        @DefaultValue("20s") @DurationMin(millis = 100) @DurationMax(minutes = 5)
        Duration receiveWait,

        @DefaultValue Map<String, @Min(1) @Max(TuningOverride.MAX_PER_SECOND) Integer> limits,
        @DefaultValue Map<String, String> pools) {

    /** The ways in which a consumer polls its queue while that is empty. */
    enum Polling {
        /** The consumer polls ever more rarely, and in the end waits for a signal or the slow safety poll. */
        ADAPTIVE,
        /**
         * The consumer takes one item at a time, rests for {@code max-idle} after each empty poll, and ignores signals.
         * This is a baseline for measuring the others.
         */
        NAIVE,
        /**
         * The consumer polls once, waits for an item's signal, polls once more, and then waits as {@link #ADAPTIVE}
         * does.
         */
        LONG_POLL
    }

    /**
     * The most items at the same time. A higher number does not help, because one call of a queue returns at most 32.
     */
    static final int MAX_CONCURRENCY = 256;

    WorkProperties {
        concurrency = Map.copyOf(concurrency);
        mostConcurrency = Map.copyOf(mostConcurrency);
        partitions = Map.copyOf(partitions);
        limits = Map.copyOf(limits);
        pools = Map.copyOf(pools);
        require(safetyPoll.every().compareTo(maxIdle) >= 0, "safety-poll must be at least max-idle, or never");
        require(
                overflowOver.toBytes() >= 1 && overflowOver.toBytes() <= QueueStore.MAX_TEXT_BYTES,
                "overflow-over must be 1B to 48KB");
    }

    /** Returns whether a process with these roles may assume that it is the only one. */
    boolean assumesOnlyProcess(Set<Role> roles) {
        return safetyPoll.never() && roles.containsAll(Set.of(Role.values()));
    }

    int concurrencyOf(QueueService<?> service) {
        return concurrency.getOrDefault(service.queue(), service.concurrency());
    }

    /**
     * Returns the most items handled at the same time while many wait. If only {@code concurrency} is set, it is also
     * the most.
     */
    int mostConcurrencyOf(QueueService<?> service) {
        String queue = service.queue();
        int most = mostConcurrency.getOrDefault(queue, concurrency.getOrDefault(queue, service.mostConcurrency()));
        return Math.max(most, concurrencyOf(service));
    }

    /** Returns the number of places that these services share. */
    int placesOf(List<QueueService<?>> pool) {
        return places(pool, this::concurrencyOf);
    }

    /** Returns the most places that these services share while many items wait. */
    int mostPlacesOf(List<QueueService<?>> pool) {
        return places(pool, this::mostConcurrencyOf);
    }

    private static int places(List<QueueService<?>> pool, ToIntFunction<QueueService<?>> own) {
        int bound = pool.stream().mapToInt(QueueService::mostInPool).min().orElseThrow();
        return Math.max(1, Math.min(bound, pool.stream().mapToInt(own).sum()));
    }

    /** Returns the most items a second, or 0 for no limit. */
    int limitOf(String queue) {
        return limits.getOrDefault(queue, 0);
    }

    String poolOf(QueueService<?> service) {
        return pools.getOrDefault(service.queue(), service.pool());
    }

    /** @param random returns numbers from 0 to 1 */
    Pace pace(DoubleSupplier random) {
        return switch (polling) {
            case ADAPTIVE -> new PollingCurve(maxIdle, random);
            case NAIVE -> new EvenPace(maxIdle, Integer.MAX_VALUE);
            case LONG_POLL -> new EvenPace(receiveWait, 1);
        };
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
