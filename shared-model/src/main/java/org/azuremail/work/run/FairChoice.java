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
 * Chooses which of several queues to look at next: the likely ones often, by chance, and each of them sometimes. A queue that
 * had items is likely, each empty look halves that down to a floor, and priorities multiply it. However unlikely, after so many
 * looks elsewhere or so much time it is its turn: both get shorter as its priority grows. Not for several threads.
 *
 * @param <K> names a queue
 */
final class FairChoice<K> {

    /** An empty queue's likelihood beside one that has items. */
    static final double FLOOR = 0.005;

    /** For each queue that there is, so many looks at others may come first. */
    static final int LOOKS = 16;

    /** The longest time for which others may come first. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final DoubleSupplier random;
    private final Time time;
    private final ToDoubleFunction<K> priority;
    private final Map<K, Sight> sights = new HashMap<>();
    private long looks;

    private static final class Sight {
        private double likelihood = 1;
        private long look;
        private Duration elapsed = Duration.ZERO;
    }

    /**
     * @param random from 0 to below 1
     * @param priority more than 0, asked each time
     */
    FairChoice(DoubleSupplier random, Time time, ToDoubleFunction<K> priority) {
        this.random = random;
        this.time = time;
        this.priority = priority;
    }

    /** @param candidates at least one */
    K next(List<K> candidates) {
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        candidates.forEach(this::sight);
        return overdue(candidates).orElseGet(() -> byChance(candidates));
    }

    void looked(K queue, boolean found) {
        Sight sight = sight(queue);
        sight.likelihood = found ? 1 : Math.max(FLOOR, sight.likelihood / 2);
        sight.look = ++looks;
        sight.elapsed = time.elapsed();
    }

    private Optional<K> overdue(List<K> candidates) {
        return candidates.stream().filter(this::isOverdue).min(Comparator.comparingLong(queue -> sight(queue).look));
    }

    private boolean isOverdue(K queue) {
        double weight = priority.applyAsDouble(queue);
        Sight sight = sight(queue);
        double waited = time.elapsed().minus(sight.elapsed).toMillis() * weight;
        return (looks - sight.look) * weight >= LOOKS * sights.size() || waited >= LONGEST.toMillis();
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
        return sight(queue).likelihood * priority.applyAsDouble(queue);
    }

    private Sight sight(K queue) {
        return sights.computeIfAbsent(queue, unseen -> {
            Sight sight = new Sight();
            sight.look = looks;
            sight.elapsed = time.elapsed();
            return sight;
        });
    }
}
