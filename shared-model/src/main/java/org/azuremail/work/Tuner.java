package org.azuremail.work;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.Tuning;

/**
 * The values that admins changed, and otherwise those of the settings. A limit is shared among the processes that handle the
 * queue.
 */
record Tuner(Switches switches, WorkProperties settings, Instances instances) implements Tuning {

    @Override
    public Duration interval(ScheduledService service) {
        return tuned(service.name()).map(Tuned::interval).orElse(service.interval());
    }

    @Override
    public double priority(QueueService<?> service) {
        return tuned(queue(service))
                .map(Tuned::priority)
                .map(Integer::doubleValue)
                .orElse(service.priority());
    }

    @Override
    public int perSecond(QueueService<?> service) {
        int all = tuned(queue(service)).map(Tuned::perSecond).orElse(settings.limitOf(queue(service)));
        if (all == 0) {
            return 0;
        }
        long processes = instances.lastSeen().stream()
                .filter(instance -> instance.queues().contains(queue(service)))
                .count();
        return (int) Math.max(1, all / Math.max(1, processes));
    }

    private Optional<Tuned> tuned(String name) {
        return switches.tuned(name);
    }

    private static String queue(QueueService<?> service) {
        return service.itemType().queue();
    }
}
