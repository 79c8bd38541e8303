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
 * Chooses the next queue of a pool: one of the lowest rank, and among those by {@link FairChoice}. A queue of a higher rank ages
 * while more urgent ones have items: once nobody has looked at it for its ageing bound, or the items that came from it last had
 * waited for so long, it has every other turn. So its first item waits for the bound at most, however much there is to do for
 * others. The time for which a queue is stopped or outside its hours does not count. Not for several threads.
 */
final class StrictOrder {

    private final FairChoice<Source> choice;
    private final Time time;
    private final Map<Source, Sight> sights = new HashMap<>();
    private boolean agedLast;

    /** The observations of one queue since it was opened. */
    private static final class Sight {

        private final Duration openedElapsed;
        private Duration lookedElapsed;
        private boolean foundItems;
        private boolean foundOldItems;

        Sight(Duration now) {
            this.openedElapsed = now;
            this.lookedElapsed = now;
        }
    }

    /**
     * @param random from 0 to below 1
     * @param priority more than 0, asked each time
     */
    StrictOrder(DoubleSupplier random, Time time, ToDoubleFunction<Source> priority) {
        this.choice = new FairChoice<>(random, time, priority);
        this.time = time;
    }

    /** @param aged whether it is its turn only because it has waited for so long: it gets one item then */
    record Turn(Source source, boolean aged) {}

    /** Before the first turn of a look: the queues that items may be taken from now. */
    void open(List<Source> open) {
        sights.keySet().retainAll(open);
        open.forEach(source -> sights.computeIfAbsent(source, unseen -> new Sight(time.elapsed())));
    }

    /** @param left at least one of those that are open */
    Turn next(List<Source> left) {
        int first = left.stream().mapToInt(StrictOrder::rank).min().orElseThrow();
        Optional<Source> aged = agedLast
                ? Optional.empty()
                : left.stream()
                        .filter(source -> rank(source) > first && hasAged(source) && othersHadItems(source))
                        .min(Comparator.comparing(source -> sight(source).lookedElapsed));
        return aged.map(source -> new Turn(source, true))
                .orElseGet(() -> new Turn(
                        choice.next(left.stream()
                                .filter(source -> rank(source) == first)
                                .toList()),
                        false));
    }

    void looked(Turn turn, List<QueueItem> items) {
        Source source = turn.source();
        choice.looked(source, !items.isEmpty());
        Sight sight = sight(source);
        sight.lookedElapsed = time.elapsed();
        sight.foundItems = !items.isEmpty();
        Instant longAgo = time.instant().minus(source.service().ageing());
        sight.foundOldItems = items.stream().anyMatch(item -> !item.insertedAt().isAfter(longAgo));
        if (!items.isEmpty()) {
            agedLast = turn.aged();
        }
    }

    private boolean hasAged(Source source) {
        Sight sight = sight(source);
        Duration since = sight.foundOldItems ? sight.openedElapsed : sight.lookedElapsed;
        return time.elapsed().minus(since).compareTo(source.service().ageing()) >= 0;
    }

    private boolean othersHadItems(Source source) {
        return sights.entrySet().stream()
                .anyMatch(other -> rank(other.getKey()) < rank(source) && other.getValue().foundItems);
    }

    private Sight sight(Source source) {
        return Objects.requireNonNull(sights.get(source));
    }

    private static int rank(Source source) {
        return source.service().rank();
    }
}
