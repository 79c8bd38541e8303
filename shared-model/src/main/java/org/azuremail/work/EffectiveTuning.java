package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.Tuning;

/**
 * Returns the values that admins changed, and otherwise those of the settings. The processes that handle a queue share
 * its limit. A remainder goes to some of them in one second and to others in the next.
 */
record EffectiveTuning(Switches switches, WorkProperties settings, Instances instances, Duration drainWithin, Time time)
        implements Tuning {

    @Override
    public Duration interval(ScheduledService service) {
        return switches.tuned(service.name()).map(TuningOverride::interval).orElse(service.interval());
    }

    @Override
    public double priority(QueueService<?> service) {
        return switches.tuned(service.queue())
                .map(TuningOverride::priority)
                .map(Integer::doubleValue)
                .orElse(service.priority());
    }

    @Override
    public int perSecond(QueueService<?> service) {
        int all = switches.tuned(service.queue())
                .map(TuningOverride::perSecond)
                .orElse(settings.limitOf(service.queue()));
        if (all == 0) {
            return Integer.MAX_VALUE;
        }
        List<String> handlers = handlersOf(service);
        int count = Math.max(1, handlers.size());
        int own =
                Math.max(0, handlers.indexOf(instances.self().map(Instance::id).orElse("")));
        long turn = Math.floorMod(own + time.instant().getEpochSecond(), count);
        return all / count + (turn < all % count ? 1 : 0);
    }

    @Override
    public int processes(QueueService<?> service) {
        return Math.max(1, handlersOf(service).size());
    }

    /** Returns the ids of the processes that handle items of the queue. */
    private List<String> handlersOf(QueueService<?> service) {
        return instances.lastSeen().stream()
                .filter(instance -> instance.queues().contains(service.queue()))
                .map(Instance::id)
                .sorted()
                .toList();
    }
}
