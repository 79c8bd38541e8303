package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.azuremail.storage.QueueItem;
import org.azuremail.time.Time;

/**
 * Chooses the next queue of a pool: one of the lowest rank, and among those by {@link FairQueueChoice}.
 *
 * <p>A queue of a higher rank ages while more urgent ones have items. It has aged when it was not polled for its ageing
 * bound, or when the items that were taken from it last had waited that long. It then gets every other turn, so its
 * first item waits for at most the bound, however much work the others have. The time for which a queue is stopped or
 * outside its hours does not count. Not thread-safe.
 */
final class StrictPriorityOrder {

    private final FairQueueChoice<QueueSource> choice;
    private final Time time;
    private final Map<QueueSource, Observations> observations = new HashMap<>();
    private boolean agedLast;

    /** The observations of one queue since it was opened. */
    private static final class Observations {

        private final Duration openedElapsed;
        private Duration polledElapsed;
        private boolean foundItems;
        private boolean foundOldItems;

        Observations(Duration now) {
            this.openedElapsed = now;
            this.polledElapsed = now;
        }
    }

    /**
     * @param random returns numbers from 0 (inclusive) to 1 (exclusive)
     * @param priority returns a source's priority, more than 0; called each time
     */
    StrictPriorityOrder(DoubleSupplier random, Time time, ToDoubleFunction<QueueSource> priority) {
        this.choice = new FairQueueChoice<>(random, time, priority);
        this.time = time;
    }

    /** @param aged whether it is the source's turn only because it has aged; it then gets one item */
    record Turn(QueueSource source, boolean aged) {}

    /** Sets the queues from which items may be taken now. Call this before the first turn of a round. */
    void open(List<QueueSource> open) {
        observations.keySet().retainAll(open);
        open.forEach(source -> observations.computeIfAbsent(source, unseen -> new Observations(time.elapsed())));
    }

    /** @param left the open queues that were not chosen yet in this round; at least one */
    Turn next(List<QueueSource> left) {
        int first = left.stream().mapToInt(StrictPriorityOrder::rank).min().orElseThrow();
        Optional<QueueSource> aged = agedLast
                ? Optional.empty()
                : left.stream()
                        .filter(source -> rank(source) > first && hasAged(source) && lowerRanksHadItems(source))
                        .min(Comparator.comparing(source -> sight(source).polledElapsed));
        return aged.map(source -> new Turn(source, true))
                .orElseGet(() -> new Turn(
                        choice.next(left.stream()
                                .filter(source -> rank(source) == first)
                                .toList()),
                        false));
    }

    void polled(Turn turn, List<QueueItem> items) {
        QueueSource source = turn.source();
        choice.polled(source, !items.isEmpty());
        Observations sight = sight(source);
        sight.polledElapsed = time.elapsed();
        sight.foundItems = !items.isEmpty();
        Instant longAgo = time.instant().minus(source.service().ageing());
        sight.foundOldItems = items.stream().anyMatch(item -> !item.insertedAt().isAfter(longAgo));
        if (!items.isEmpty()) {
            agedLast = turn.aged();
        }
    }

    private boolean hasAged(QueueSource source) {
        Observations sight = sight(source);
        Duration since = sight.foundOldItems ? sight.openedElapsed : sight.polledElapsed;
        return time.elapsed().minus(since).compareTo(source.service().ageing()) >= 0;
    }

    private boolean lowerRanksHadItems(QueueSource source) {
        return observations.entrySet().stream()
                .anyMatch(other -> rank(other.getKey()) < rank(source) && other.getValue().foundItems);
    }

    private Observations sight(QueueSource source) {
        return Objects.requireNonNull(observations.get(source));
    }

    private static int rank(QueueSource source) {
        return source.service().rank();
    }
}
