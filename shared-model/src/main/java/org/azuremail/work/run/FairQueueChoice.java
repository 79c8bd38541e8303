package org.azuremail.work.run;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.azuremail.time.Time;

/**
 * Chooses which of several queues to poll next: likely ones often, at random, and each of them sometimes. A queue that
 * had items is likely, and each empty poll halves its likelihood down to a floor. Priorities multiply the likelihood.
 * However unlikely a queue is, it is polled after a number of polls of others or after some time. Both bounds shrink as
 * its priority grows. Not thread-safe.
 *
 * @param <K> the type of keys that identify queues
 */
final class FairQueueChoice<K> {

    /** The likelihood of an empty queue, relative to one that has items. */
    static final double FLOOR = 0.005;

    /** The number of polls, for each existing queue, after which it is a queue's turn. */
    static final int MAX_POLLS_BETWEEN = 16;

    /** The time after which it is a queue's turn. */
    static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private final DoubleSupplier random;
    private final Time time;
    private final ToDoubleFunction<K> priority;
    private final Map<K, PollState> pollStates = new HashMap<>();
    private long polls;

    private static final class PollState {
        private double likelihood = 1;
        private long lastPoll;
        private Duration elapsed = Duration.ZERO;
    }

    /**
     * @param random returns numbers from 0 (inclusive) to 1 (exclusive)
     * @param priority returns a queue's priority, more than 0; called each time
     */
    FairQueueChoice(DoubleSupplier random, Time time, ToDoubleFunction<K> priority) {
        this.random = random;
        this.time = time;
        this.priority = priority;
    }

    /** @param candidates the queues to choose from; at least one */
    K next(List<K> candidates) {
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        candidates.forEach(this::pollState);
        return overdue(candidates).orElseGet(() -> byChance(candidates));
    }

    void polled(K queue, boolean found) {
        PollState pollState = pollState(queue);
        pollState.likelihood = found ? 1 : Math.max(FLOOR, pollState.likelihood / 2);
        pollState.lastPoll = ++polls;
        pollState.elapsed = time.elapsed();
    }

    private Optional<K> overdue(List<K> candidates) {
        return candidates.stream().filter(this::isOverdue).min(Comparator.comparingLong(queue -> pollState(queue)
                .lastPoll));
    }

    private boolean isOverdue(K queue) {
        double weight = priority.applyAsDouble(queue);
        PollState pollState = pollState(queue);
        double waited = time.elapsed().minus(pollState.elapsed).toMillis() * weight;
        return (polls - pollState.lastPoll) * weight >= MAX_POLLS_BETWEEN * pollStates.size()
                || waited >= MAX_WAIT.toMillis();
    }

    private K byChance(List<K> candidates) {
        double total = candidates.stream().mapToDouble(this::weight).sum();
        double point = random.getAsDouble() * total;
        for (K queue : candidates) {
            point -= weight(queue);
            if (point < 0) {
                return queue;
            }
        }
        return candidates.get(candidates.size() - 1);
    }

    private double weight(K queue) {
        return pollState(queue).likelihood * priority.applyAsDouble(queue);
    }

    private PollState pollState(K queue) {
        return pollStates.computeIfAbsent(queue, unseen -> {
            PollState pollState = new PollState();
            pollState.lastPoll = polls;
            pollState.elapsed = time.elapsed();
            return pollState;
        });
    }
}
