package org.azuremail.outbox;

import java.time.Duration;
import org.azuremail.time.Time;
import org.azuremail.work.run.ScheduledService;

/** Removes what the outbox has kept long enough. */
final class OutboxTrim implements ScheduledService {

    private final OutboxStore outbox;
    private final OutboxProperties properties;
    private final Time time;

    OutboxTrim(OutboxStore outbox, OutboxProperties properties, Time time) {
        this.outbox = outbox;
        this.properties = properties;
        this.time = time;
    }

    @Override
    public String name() {
        return "outbox-trim";
    }

    @Override
    public Duration interval() {
        return Duration.ofDays(1);
    }

    @Override
    public void run() {
        outbox.trim(time.instant().minus(properties.keep()));
    }
}
