package org.azuremail.work.signal;

import java.time.Duration;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/** Knows whether messages are active, as far as signals have reached this process. Safe for use from many threads. */
public final class MessageActivity {

    private final Time time;
    private Duration untilElapsed;

    public MessageActivity(Time time) {
        this.time = time;
        this.untilElapsed = time.elapsed();
    }

    /**
     * Records that messages are active for this long from now, or longer if an earlier call asked for that.
     *
     * @return whether messages were inactive before this call
     */
    public synchronized boolean extend(Duration fromNow) {
        boolean news = !messagesActive();
        Duration until = time.elapsed().plus(fromNow);
        untilElapsed = Durations.max(until, untilElapsed);
        return news;
    }

    public synchronized boolean messagesActive() {
        return time.elapsed().compareTo(untilElapsed) < 0;
    }
}
