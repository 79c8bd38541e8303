package org.azuremail.scheduler;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;

/**
 * Remembers the messages that wait because their class is suspended or outside its hours. The first looks at such a message
 * find the runs that were under way when the class closed. After that, nothing changes until the class is sent again, so one
 * look an hour is enough: looking costs a read of each of its parts.
 */
final class HeldMessages {

    private static final Duration RUNS_END = Duration.ofMinutes(5);
    private static final Duration AGAIN = Duration.ofHours(1);

    private final RangeQueues ranges;
    private final Switches switches;
    private final Time time;
    private final Map<MessageRef, Rest> rests = new ConcurrentHashMap<>();

    private record Rest(String etag, Duration sinceElapsed, Duration lookedElapsed) {}

    HeldMessages(RangeQueues ranges, Switches switches, Time time) {
        this.ranges = ranges;
        this.switches = switches;
        this.time = time;
    }

    /** Returns whether only senders have work left to do for the message, and its class holds them up. */
    boolean waits(Message message) {
        return (message.status() == MessageStatus.PROCESSING || message.status() == MessageStatus.CANCELLED)
                && message.state().reopening() == null
                && ranges.held(message, switches, time.instant());
    }

    Duration closedFor(Message message) {
        return ranges.closedFor(message, time.instant());
    }

    /** Returns whether to look at the message, which waits; then counts as looked at. */
    boolean due(Versioned<Message> message) {
        Duration now = time.elapsed();
        MessageRef ref = message.value().ref();
        Rest rest = rests.get(ref);
        if (rest == null || !rest.etag().equals(message.etag())) {
            rest = new Rest(message.etag(), now, now);
        } else if (now.minus(rest.sinceElapsed()).compareTo(RUNS_END) > 0
                && now.minus(rest.lookedElapsed()).compareTo(AGAIN) < 0) {
            return false;
        }
        rests.put(ref, new Rest(rest.etag(), rest.sinceElapsed(), now));
        return true;
    }

    void forgetAllBut(Set<MessageRef> active) {
        rests.keySet().retainAll(active);
    }
}
