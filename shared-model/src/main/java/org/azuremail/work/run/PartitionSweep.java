package org.azuremail.work.run;

import java.time.Duration;
import org.azuremail.work.queue.WorkQueues;

/** Once a day, takes back partitions that are no longer in use and empty, so that nobody has to read them for ever. */
final class PartitionSweep implements ScheduledService {

    private final WorkQueues queues;

    PartitionSweep(WorkQueues queues) {
        this.queues = queues;
    }

    @Override
    public String name() {
        return "partition-sweep";
    }

    @Override
    public Duration interval() {
        return Duration.ofDays(1);
    }

    @Override
    public void run() {
        queues.partitions().forgetUnused(queues::isPartitionEmpty);
    }
}
