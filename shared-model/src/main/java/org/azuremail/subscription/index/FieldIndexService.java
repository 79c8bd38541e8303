package org.azuremail.subscription.index;

import java.time.Duration;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.work.service.ScheduledService;

/** Starts jobs that are due or that a crash has prevented, and advances counts. */
@ConditionalOnRole(Role.SCHEDULER)
final class FieldIndexService implements ScheduledService {

    private final FieldIndex index;
    private volatile boolean active;

    FieldIndexService(FieldIndex index) {
        this.index = index;
    }

    @Override
    public String name() {
        return FieldIndex.SERVICE;
    }

    @Override
    public Duration interval() {
        return active ? Duration.ofSeconds(1) : Duration.ofDays(1);
    }

    @Override
    public boolean active() {
        return active;
    }

    @Override
    public void run() {
        active = index.checkAll();
    }
}
