package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.azuremail.time.Time;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.signal.Activity;

/**
 * Decides how long a consumer rests that has found nothing again and again. For a while after the start and after each item,
 * and while messages are under way that its items belong to, {@code max-idle}: another process may have died with an item in
 * its hands. Otherwise until the slow safety poll, which may be never, where signals reach this process; where they do not, for
 * ten seconds. Where others put again what nobody took, nothing is expected at the start, and there is no slow poll.
 */
final class IdleRest {

    /** The rest of a process that hears no signals: how often senders look while a message is active. */
    static final Duration DEAF = Duration.ofSeconds(10);

    /** Beyond the time for which an item is hidden: two clocks may differ by a minute. */
    private static final Duration AND_THEN_SOME = Duration.ofMinutes(2);

    private final Time time;
    private final Activity activity;
    private final BooleanSupplier deaf;
    private final boolean followsMessages;
    private final Duration often;
    private final Duration rarely;
    private final Duration lately;
    private Duration untilElapsed;

    /** @param deaf whether signals do not reach this process */
    IdleRest(
            List<? extends QueueService<?>> pool,
            WorkProperties settings,
            Activity activity,
            BooleanSupplier deaf,
            Time time) {
        this.time = time;
        this.activity = activity;
        this.deaf = deaf;
        this.followsMessages = pool.stream().anyMatch(QueueService::followsMessages);
        this.often = settings.maxIdle();
        boolean polled = pool.stream().anyMatch(QueueService::safetyPolled);
        this.rarely = polled ? settings.safetyPoll().every() : SafetyPoll.NEVER;
        this.lately = pool.stream()
                .map(QueueService::visibility)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO)
                .plus(AND_THEN_SOME);
        this.untilElapsed = polled ? time.elapsed().plus(lately) : time.elapsed();
    }

    /** An item was taken. */
    void handled() {
        untilElapsed = time.elapsed().plus(lately);
    }

    Duration rest() {
        return atMost(expects() && often.compareTo(rarely) < 0 ? often : rarely);
    }

    /** Returns whether nothing is expected, and signals would tell of anything that comes. */
    boolean quiet() {
        return !expects() && !deaf.getAsBoolean();
    }

    private boolean expects() {
        boolean busyLately = time.elapsed().compareTo(untilElapsed) < 0;
        return busyLately || (followsMessages && activity.messagesActive());
    }

    /** Also between the looks before that: a process that hears no signals rests for ten seconds at most. */
    Duration atMost(Duration rest) {
        return deaf.getAsBoolean() && DEAF.compareTo(rest) < 0 ? DEAF : rest;
    }
}
