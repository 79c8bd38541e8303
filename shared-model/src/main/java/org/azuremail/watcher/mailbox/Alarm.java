package org.azuremail.watcher.mailbox;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does something unless it is put off in time. */
final class Alarm {

    private final ScheduledExecutorService clock;
    private final Runnable act;
    private @Nullable Future<?> next;

    Alarm(ScheduledExecutorService clock, Runnable act) {
        this.clock = clock;
        this.act = act;
    }

    synchronized void in(Duration rest) {
        off();
        try {
            next = clock.schedule(act, rest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException processStops) {
            act.run();
        }
    }

    synchronized void off() {
        if (next != null) {
            next.cancel(false);
        }
    }
}
