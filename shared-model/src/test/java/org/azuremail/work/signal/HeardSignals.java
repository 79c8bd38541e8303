package org.azuremail.work.signal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Signals that only the test receives. */
public final class HeardSignals implements Signals {

    /** The scheduled services to run soon, in the order of the signals. */
    public final List<String> woken = new CopyOnWriteArrayList<>();

    public final List<Duration> active = new CopyOnWriteArrayList<>();
    public final AtomicInteger switches = new AtomicInteger();

    @Override
    public void workAvailable(String queue) {}

    @Override
    public void runSoon(String scheduledService) {
        woken.add(scheduledService);
    }

    @Override
    public void messagesActive(Duration lasts) {
        active.add(lasts);
    }

    @Override
    public void switchesChanged() {
        switches.incrementAndGet();
    }
}
