package org.azuremail.eventlog;

import java.time.Duration;
import org.azuremail.time.Time;
import org.azuremail.work.run.ScheduledService;

/** Removes what the event log has kept long enough. */
final class EventLogSweep implements ScheduledService {

    private static final Duration DAY = Duration.ofDays(1);

    private final EventLog log;
    private final Duration keep;
    private final Time time;

    EventLogSweep(EventLog log, Duration keep, Time time) {
        this.log = log;
        this.keep = keep;
        this.time = time;
    }

    @Override
    public String name() {
        return "event-log-sweep";
    }

    @Override
    public Duration interval() {
        return DAY;
    }

    @Override
    public void run() {
        log.deleteBefore(time.instant().minus(keep));
    }
}
