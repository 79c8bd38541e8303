package org.azuremail.watcher;

import java.time.Instant;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A process that watchers can be placed on, with the columns that the orchestrator of endless tasks defines.
 *
 * @param id unique for each birth: a process that starts again is another service
 * @param instance the process, as {@code Instances} knows it
 * @param name given at deployment; of two services with the same name, the older one has died
 * @param workersCount how many watchers it takes
 * @param deleted whether it announced its end or is known to have died
 * @param leaseEnd until when it holds its watchers unless it renews the lease; null while it holds none
 */
public record WatchService(
        String id,
        String instance,
        String name,
        Instant createdAt,
        Instant modifyAt,
        int workersCount,
        boolean deleted,
        @Nullable Instant leaseEnd) {

    static WatchService born(String id, String instance, String name, int workersCount, Instant now) {
        return new WatchService(id, instance, name, now, now, workersCount, false, null);
    }

    WatchService holding(@Nullable Instant until, Instant now) {
        return new WatchService(id, instance, name, createdAt, now, workersCount, false, until);
    }

    WatchService dead(Instant now) {
        return new WatchService(id, instance, name, createdAt, now, workersCount, true, null);
    }

    static WatchService from(Values v) {
        return new WatchService(
                v.requireString("Id"),
                v.string("Instance", ""),
                v.requireString("Name"),
                v.requireInstant("CreatedAt"),
                v.requireInstant("ModifyAt"),
                v.integer("WorkersCount", 0),
                v.bool("IsDeleted", false),
                v.instant("EndsAt"));
    }

    Values toValues() {
        return Values.builder()
                .put("Id", id)
                .put("Instance", instance)
                .put("Name", name)
                .put("CreatedAt", createdAt)
                .put("ModifyAt", modifyAt)
                .put("WorkersCount", workersCount)
                .put("IsDeleted", deleted)
                .put("EndsAt", leaseEnd)
                .build();
    }
}
