package org.azuremail.scheduler;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the messages that wait because they are paused, or because their class is suspended or outside its hours.
 * The first checks of such a message find the runs that were under way when it began to wait. After that, nothing
 * changes until the message is sent again, so checks become rarer, down to one an hour, because each reads all parts of
 * the message.
 */
final class HeldMessages {

    private static final Duration RUNS_END_WITHIN = Duration.ofMinutes(5);
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofHours(1);

    private final RangeQueues ranges;
    private final Switches switches;
    private final Time time;
    private final Map<MessageRef, LastCheck> lastChecks = new ConcurrentHashMap<>();

    /**
     * The last check of one message.
     *
     * @param indexEtag for a paused message whose sending had begun, the ETag of its row in the index, which is
     *     rewritten when the message is resumed; else {@code null}
     */
    private record LastCheck(String etag, @Nullable String indexEtag, Duration sinceElapsed, Duration checkedElapsed) {

        /** Returns whether the message, which has not changed, need not be checked yet. */
        boolean lasts(Duration now) {
            Duration waited = checkedElapsed.minus(sinceElapsed);
            Duration pause = Durations.min(waited, MAX_CHECK_INTERVAL);
            return now.minus(sinceElapsed).compareTo(RUNS_END_WITHIN) > 0
                    && now.minus(checkedElapsed).compareTo(pause) < 0;
        }
    }

    HeldMessages(RangeQueues ranges, Switches switches, Time time) {
        this.ranges = ranges;
        this.switches = switches;
        this.time = time;
    }

    /** Returns whether a paused message need not be checked; in that case not even its own row has to be read. */
    boolean canSkipCheck(ActiveEntry entry) {
        LastCheck lastCheck = lastChecks.get(entry.ref());
        return lastCheck != null && entry.etag().equals(lastCheck.indexEtag()) && lastCheck.lasts(time.elapsed());
    }

    /**
     * Returns whether only senders have work left to do for the message, and it is paused or its class holds them up.
     */
    boolean isHeld(Message message) {
        return (message.status() == MessageStatus.PROCESSING || message.status() == MessageStatus.CANCELLED)
                && message.state().reopening() == null
                && (message.paused() || ranges.held(message, switches, time.instant()));
    }

    /**
     * Returns whether the message is not due, or was paused before its sending began. A check could only find that its
     * list was deleted.
     */
    boolean waitsForItsDate(Message message) {
        return message.status() == MessageStatus.PENDING
                && (message.paused() || !message.due(time.instant().plus(NextDue.NEAR)));
    }

    Duration closedFor(Message message) {
        return ranges.closedFor(message, time.instant());
    }

    /** Returns whether to check the message, which waits for any of these reasons, and records the check. */
    boolean due(ActiveEntry entry, Versioned<Message> message) {
        Duration now = time.elapsed();
        String indexEtag = message.value().paused() && message.value().begun() ? entry.etag() : null;
        LastCheck lastCheck = lastChecks.get(entry.ref());
        if (lastCheck == null
                || !lastCheck.etag().equals(message.etag())
                || !Objects.equals(lastCheck.indexEtag(), indexEtag)) {
            lastCheck = new LastCheck(message.etag(), indexEtag, now, now);
        } else if (lastCheck.lasts(now)) {
            return false;
        }
        lastChecks.put(entry.ref(), new LastCheck(lastCheck.etag(), indexEtag, lastCheck.sinceElapsed(), now));
        return true;
    }

    void retainOnly(Set<MessageRef> active) {
        lastChecks.keySet().retainAll(active);
    }
}
