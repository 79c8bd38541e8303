package org.azuremail.work.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import org.azuremail.storage.QueueItem;
import org.azuremail.time.Time;

/**
 * Chooses the next queue of a pool: one of the lowest rank, and among those by {@link FairChoice}. A queue of a higher rank has
 * aged when nobody has looked at it for its ageing bound, or when the items that came from it last had waited for so long; it
 * has every other turn then. So its first item waits for the bound at most, however much there is to do for others. Not for
 * several threads.
 */
final class StrictOrder {

    private final FairChoice<Source> choice;
    private final Time time;
    private final Map<Source, Duration> lookedElapsed = new HashMap<>();
    private final Set<Source> old = new HashSet<>();
    private boolean agedLast;

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

    /** @param left at least one */
    Turn next(List<Source> left) {
        int first = left.stream().mapToInt(StrictOrder::rank).min().orElseThrow();
        left.forEach(source -> lookedElapsed.computeIfAbsent(source, unseen -> time.elapsed()));
        Optional<Source> aged = agedLast
                ? Optional.empty()
                : left.stream()
                        .filter(source -> rank(source) > first && hasAged(source))
                        .min(Comparator.comparing(lookedElapsed::get));
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
        lookedElapsed.put(source, time.elapsed());
        Instant longAgo = time.instant().minus(source.service().ageing());
        if (items.stream().anyMatch(item -> !item.insertedAt().isAfter(longAgo))) {
            old.add(source);
        } else {
            old.remove(source);
        }
        if (!items.isEmpty()) {
            agedLast = turn.aged();
        }
    }

    private boolean hasAged(Source source) {
        Duration unseen = time.elapsed().minus(lookedElapsed.getOrDefault(source, time.elapsed()));
        return old.contains(source) || unseen.compareTo(source.service().ageing()) >= 0;
    }

    private static int rank(Source source) {
        return source.service().rank();
    }
}
