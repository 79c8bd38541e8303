package org.azuremail.watcher;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Consumer;

/**
 * The times at which a process looks at its watchers, so that one that rests costs nothing. Where a watcher is here several times, the
 * look at the wrong time finds nothing to do. Safe for use from many threads.
 */
final class Looks {

    private final PriorityBlockingQueue<Look> looks = new PriorityBlockingQueue<>();

    private record Look(Duration atElapsed, HeldWatcher watcher) implements Comparable<Look> {

        @Override
        public int compareTo(Look other) {
            return atElapsed.compareTo(other.atElapsed);
        }
    }

    void add(HeldWatcher watcher, Duration atElapsed) {
        looks.add(new Look(atElapsed, watcher));
    }

    /** Gives those whose time has come. An earlier one may come meanwhile; it is due as well. */
    void takeDue(Duration now, Consumer<HeldWatcher> taker) {
        for (Look next = looks.peek(); next != null && next.atElapsed().compareTo(now) <= 0; next = looks.peek()) {
            taker.accept(looks.remove().watcher());
        }
    }

    /** The time of the next one. */
    Optional<Duration> next() {
        return Optional.ofNullable(looks.peek()).map(Look::atElapsed);
    }

    void clear() {
        looks.clear();
    }
}
