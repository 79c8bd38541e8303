package org.azuremail.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.time.Durations;

/** Collects, during one pass of the scheduler, whether anything is under way and when something will be. */
final class NextDue {

    /** The interval between passes: a message that is due before the next pass counts as under way. */
    static final Duration NEAR = Duration.ofSeconds(60);

    private static final Duration SOONEST = Duration.ofSeconds(1);

    private final Instant now;
    private boolean active;
    private boolean chores;
    private Optional<Instant> next = Optional.empty();

    NextDue(Instant now) {
        this.now = now;
    }

    /**
     * @param held whether the message only waits until its class is sent again
     * @param closedFor how long the message waits for the hours of its class
     */
    void observe(Message message, boolean held, Duration closedFor) {
        MessageStatus status = message.status();
        boolean soon = status == MessageStatus.PENDING && message.due(now.plus(NEAR));
        boolean waits = held || (message.paused() && !status.ended());
        active |= !waits && (soon || status != MessageStatus.PENDING);
        if (!message.keptAsDraft()) {
            expect(held ? now.plus(closedFor) : message.scheduledDate());
        }
    }

    private void expect(Instant due) {
        if (due.isAfter(now)) {
            next = Optional.of(next.filter(known -> known.isBefore(due)).orElse(due));
        }
    }

    /** Records whether something other than a message is under way, or may be. */
    void observeWork(boolean exists) {
        active |= exists;
    }

    void observeChore() {
        chores = true;
    }

    boolean active() {
        return active;
    }

    boolean chores() {
        return chores;
    }

    /** Returns the time from this pass until the next message is due or its class opens; at least a second. */
    Optional<Duration> untilNext() {
        return next.map(due -> Duration.between(now, due)).map(wait -> Durations.max(wait, SOONEST));
    }

    Optional<Instant> next() {
        return next;
    }
}
