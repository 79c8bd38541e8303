package org.azuremail.work;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Wakes the loops of this process; signals for queues and services that run elsewhere go nowhere. */
final class InProcessSignals implements Signals {

    private final Map<String, WakeUp> queues = new ConcurrentHashMap<>();
    private final Map<String, WakeUp> services = new ConcurrentHashMap<>();

    void listenToQueue(String queue, WakeUp wakeUp) {
        queues.put(queue, wakeUp);
    }

    void listenToService(String scheduledService, WakeUp wakeUp) {
        services.put(scheduledService, wakeUp);
    }

    @Override
    public void workWaits(String queue) {
        signal(queues.get(queue));
    }

    @Override
    public void runSoon(String scheduledService) {
        signal(services.get(scheduledService));
    }

    private static void signal(@org.jspecify.annotations.Nullable WakeUp wakeUp) {
        if (wakeUp != null) {
            wakeUp.signal();
        }
    }
}
