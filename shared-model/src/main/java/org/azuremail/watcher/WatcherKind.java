package org.azuremail.watcher;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.reason.Reason;

/**
 * The work of watchers of one kind. A bean of this type is all that a new kind needs. Turns of one watcher come one after the
 * other, in one process at a time but for the bounds of leases; what a turn does must bear being done again.
 */
public interface WatcherKind {

    /** Unique and stable: rows hold it. */
    String name();

    /** The faults of the settings, by field; codes whose words are {@code watcher.fault.<code>}. */
    Map<String, String> faults(Map<String, String> settings);

    /**
     * All settings but the secrets, with the values that a form shows where nothing is set, perhaps empty. Others are refused. A
     * kind without a form of its own has a field for each.
     */
    default Map<String, String> defaults() {
        return Map.of();
    }

    /** Settings that are stored sealed and never shown again; {@link Watcher#secret} opens them. */
    default Set<String> secrets() {
        return Set.of();
    }

    /**
     * Asks the server that turns would ask, and changes nothing there or here. Ends within half a minute.
     *
     * @param watcher with the settings to try, which need not be stored
     * @throws Failed where turns would fail
     */
    Reason test(Watcher watcher) throws Failed;

    /** One turn. A throw counts as a failure and is tried again by {@link #retry}. */
    Next turn(Watcher watcher, Here here) throws Exception;

    /**
     * This process takes no more turns of the watcher: what was kept open between turns is closed. Does not wait, and may be
     * called more than once.
     */
    default void left(String watcher) {}

    /**
     * Returns how long to wait after so many failures in a row; empty when the tries are used up and the watcher waits for a
     * restart. Unless a kind says otherwise: five times, after 1, 4, 10, 30 and 60 minutes.
     */
    default Optional<Duration> retry(int failures) {
        int[] minutes = {1, 4, 10, 30, 60};
        return failures > minutes.length ? Optional.empty() : Optional.of(Duration.ofMinutes(minutes[failures - 1]));
    }

    /** For kinds whose tries are never used up: a minute after the first failure, then twice as long each time, up to the longest. */
    static Optional<Duration> doubling(int failures, Duration longest) {
        Duration rest = Duration.ofMinutes(1L << Math.min(failures - 1, 20));
        return Optional.of(rest.compareTo(longest) > 0 ? longest : rest);
    }

    /** Thrown by a turn that failed, for a reason that people can be told. */
    class Failed extends Exception {

        private static final long serialVersionUID = 1;

        private final transient Reason reason;

        public Failed(Reason reason) {
            super(reason.words());
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }
    }

    /** Thrown by a turn: only a restart can help. */
    final class GaveUp extends Failed {

        private static final long serialVersionUID = 1;

        public GaveUp(Reason reason) {
            super(reason);
        }
    }

    /** The place where a turn is taken. */
    @FunctionalInterface
    interface Here {

        /** Asked between steps: the process or the watcher stops, and the turn should end early. */
        boolean stopRequested();

        /** Later than the turn and from any thread: the next turn comes no later than this from now. */
        default void wakeIn(Duration rest) {}
    }

    /**
     * The result of a turn.
     *
     * @param state for the next turn, at most 32,000 characters
     * @param trouble whether people should see that it did not go as it should, although the kind goes on at its own pace
     */
    record Next(Duration rest, String state, Reason result, boolean trouble) {

        public Next(Duration rest, String state, Reason result) {
            this(rest, state, result, false);
        }
    }
}
