package org.azuremail.work.signal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Wakes the loops of this process. Signals for queues and services that run elsewhere are ignored. */
public final class InProcessSignals {

    private final Map<String, QueueListener> queues = new ConcurrentHashMap<>();
    private final Map<String, ServiceListener> services = new ConcurrentHashMap<>();

    private record QueueListener(WakeUp wakeUp, boolean followsMessages) {}

    private record ServiceListener(WakeUp wakeUp, BooleanSupplier runsHere) {}

    public void listenToQueue(String queue, WakeUp wakeUp, boolean followsMessages) {
        queues.put(queue, new QueueListener(wakeUp, followsMessages));
    }

    /** @param runsHere returns whether this process runs the service, so that no other process has to be asked */
    public void listenToService(String scheduledService, WakeUp wakeUp, BooleanSupplier runsHere) {
        services.put(scheduledService, new ServiceListener(wakeUp, runsHere));
    }

    /** @return whether this process handles the queue's items */
    public boolean wakeConsumer(String queue) {
        @Nullable QueueListener listener = queues.get(queue);
        if (listener != null) {
            listener.wakeUp().signal();
        }
        return listener != null;
    }

    /** @return TAKEN if this process runs the service, HEARD if it is one of the processes that may run it */
    public Signal.Answer wakeService(String scheduledService) {
        @Nullable ServiceListener listener = services.get(scheduledService);
        if (listener == null) {
            return Signal.Answer.NOT_MINE;
        }
        boolean runsHere = listener.runsHere().getAsBoolean();
        listener.wakeUp().signal();
        return runsHere ? Signal.Answer.TAKEN : Signal.Answer.HEARD;
    }

    public void wakeAllConsumers() {
        queues.values().forEach(listener -> listener.wakeUp().signal());
    }

    public void wakeFollowersOfMessages() {
        queues.values().stream().filter(QueueListener::followsMessages).forEach(listener -> listener.wakeUp()
                .signal());
    }
}
