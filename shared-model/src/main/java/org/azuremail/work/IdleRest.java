package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.signal.MessageActivity;

/**
 * Decides how long a consumer rests after many empty polls. For a while after the start and after each item, and while
 * messages are active to which its items belong, the rest is {@code max-idle}, because another process may have died
 * while it handled an item. Otherwise the consumer rests until the slow safety poll, which can be configured to never
 * happen. A process that signals do not reach rests for at most ten seconds. A queue whose untaken items are queued
 * again by producers needs neither the frequent polls at the start nor the safety poll.
 */
final class IdleRest {

    /**
     * The longest rest of a process that signals do not reach: the interval at which senders poll while a message is
     * active.
     */
    static final Duration MAX_REST_WHEN_POLLING = Duration.ofSeconds(10);

    /** The time added to the one for which an item is hidden, because two clocks may differ by a minute. */
    private static final Duration CLOCK_SKEW_MARGIN = Duration.ofMinutes(2);

    private final Time time;
    private final MessageActivity activity;
    private final BooleanSupplier mustPoll;
    private final boolean followsMessages;
    private final Duration often;
    private final Duration rarely;
    private final Duration whileStopped;
    private final Duration busyPeriod;
    private Duration busyUntilElapsed;

    /** @param deaf returns whether signals do not reach this process */
    IdleRest(
            List<? extends QueueService<?>> pool,
            WorkProperties settings,
            MessageActivity activity,
            BooleanSupplier deaf,
            Time time) {
        this.time = time;
        this.activity = activity;
        this.mustPoll = deaf;
        this.followsMessages = pool.stream().anyMatch(QueueService::followsMessages);
        this.often = settings.maxIdle();
        boolean polled = pool.stream().anyMatch(QueueService::safetyPolled);
        this.rarely = polled ? settings.safetyPoll().every() : SafetyPoll.NEVER;
        this.whileStopped = settings.polling() == WorkProperties.Polling.NAIVE ? often : SafetyPoll.NEVER;
        this.busyPeriod = pool.stream()
                .map(QueueService::visibility)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO)
                .plus(CLOCK_SKEW_MARGIN);
        this.busyUntilElapsed = polled ? time.elapsed().plus(busyPeriod) : time.elapsed();
    }

    /** Records that an item was taken. */
    void handled() {
        busyUntilElapsed = time.elapsed().plus(busyPeriod);
    }

    Duration rest() {
        return atMost(expects() ? Durations.min(often, rarely) : rarely);
    }

    /** Returns whether no item is expected and signals would announce one. */
    boolean quiet() {
        return !expects() && !mustPoll.getAsBoolean();
    }

    /** Returns how long to rest while the queue is stopped: until the signal of its start, if signals are heard. */
    Duration whileStopped() {
        return whileStopped;
    }

    private boolean expects() {
        boolean busyLately = time.elapsed().compareTo(busyUntilElapsed) < 0;
        return busyLately || (followsMessages && activity.messagesActive());
    }

    /**
     * Limits a rest to ten seconds if signals do not reach this process. This also applies to the rests between earlier
     * polls.
     */
    Duration atMost(Duration rest) {
        return mustPoll.getAsBoolean() ? Durations.min(MAX_REST_WHEN_POLLING, rest) : rest;
    }
}
