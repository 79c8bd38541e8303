package org.azuremail.scheduler;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;

/** Wakes scheduled services that have something to look after, each again after a while. For one thread. */
final class ChoreCalls {

    static final Duration AGAIN = Duration.ofMinutes(5);

    private final Signals signals;
    private final Time time;
    private final Map<String, Duration> wokenElapsed = new HashMap<>();

    ChoreCalls(Signals signals, Time time) {
        this.signals = signals;
        this.time = time;
    }

    void wake(String service) {
        Duration now = time.elapsed();
        Duration woken = wokenElapsed.get(service);
        if (woken == null || now.minus(woken).compareTo(AGAIN) >= 0) {
            wokenElapsed.put(service, now);
            signals.runSoon(service);
        }
    }
}
