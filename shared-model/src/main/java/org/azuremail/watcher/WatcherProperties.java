package org.azuremail.watcher;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.azuremail.work.lease.Leases;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings by which a process takes watchers.
 *
 * @param capacity how many watchers it takes; 0 for as many as its cores and memory allow
 * @param atOnce how many take a turn at the same time
 * @param serviceName its name among the services, unique in the deployment. A process that starts under the name of
 *     another one shows that the earlier one has died. By default, the name is unique for each start
 * @param lease the longest time that the watchers of a process that died rest before others take them over, at
 *     least ten seconds; a shorter lease costs more storage calls. By default, it is as long as the leases of other
 *     services
 */
@Validated
@ConfigurationProperties("azuremail.watchers")
record WatcherProperties(
        @DefaultValue("0") @Min(0) @Max(100_000) int capacity,
        @DefaultValue("32") @Min(1) @Max(1_000) int atOnce,
        @DefaultValue("") String serviceName,
        @DurationMin(seconds = 10) @Nullable Duration lease) {

    private static final int PER_CORE = 5_000;
    private static final int PER_MEBIBYTE = 20;
    private static final int MEBIBYTE = 1 << 20;

    Duration lease(Leases leases) {
        return lease == null ? leases.idle() : lease;
    }

    /** Returns the capacity, computed unless a setting defines it. */
    int slots(Runtime machine) {
        long byMemory = machine.maxMemory() / MEBIBYTE * PER_MEBIBYTE;
        return capacity > 0 ? capacity : (int) Math.min(machine.availableProcessors() * (long) PER_CORE, byMemory);
    }
}
