package org.azuremail.watcher;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.azuremail.reason.Reason;
import org.azuremail.time.Durations;

/**
 * The work of watchers of one kind. A new kind needs only a bean of this type. Turns of one watcher run one after the
 * other, in one process at a time, as far as leases can guarantee it. The effects of a turn must be repeatable.
 */
public interface WatcherKind {

    /** Returns the name of the kind, unique and stable because rows contain it. */
    String name();

    /** Returns the faults of the settings, by field, as codes whose words are {@code watcher.fault.<code>}. */
    Map<String, String> faults(Map<String, String> settings);

    /**
     * Returns all settings except the secrets, with the values that a form shows for settings that are not set, which
     * may be empty. Other settings are refused. A kind without a separate form has a field for each.
     */
    default Map<String, String> defaults() {
        return Map.of();
    }

    /** Returns the settings that are stored encrypted and never shown again; {@link Watcher#secret} decrypts them. */
    default Set<String> secrets() {
        return Set.of();
    }

    /**
     * Asks the server that turns would ask, and changes nothing on either side. Ends within half a minute.
     *
     * @param watcher with the settings to try, which need not be stored
     * @throws WatcherException when turns would fail
     */
    Reason test(Watcher watcher) throws WatcherException;

    /** Takes one turn. An exception counts as a failure, and the turn is tried again after {@link #retry}. */
    TurnResult turn(Watcher watcher, TurnContext context) throws Exception;

    /**
     * Releases resources that were kept between turns, because this process takes no more turns of the watcher. Does
     * not wait, and may be called more than once.
     */
    default void released(String watcher) {}

    /**
     * Returns the pause after this many failures in a row; empty when the tries are used up and the watcher waits for a
     * restart. By default, a turn is tried again five times, after 1, 4, 10, 30 and 60 minutes.
     */
    default Optional<Duration> retry(int failures) {
        int[] minutes = {1, 4, 10, 30, 60};
        return failures > minutes.length ? Optional.empty() : Optional.of(Duration.ofMinutes(minutes[failures - 1]));
    }

    /**
     * Returns the pause for kinds whose tries are never used up: a minute after the first failure, then twice as long
     * each time, up to the longest.
     */
    static Optional<Duration> exponentialBackoff(int failures, Duration longest) {
        Duration rest = Duration.ofMinutes(1L << Math.min(failures - 1, 20));
        return Optional.of(Durations.min(rest, longest));
    }

    /** Thrown by a turn that failed for a reason that can be shown to an admin. */
    class WatcherException extends Exception {

        private final transient Reason reason;

        public WatcherException(Reason reason) {
            super(reason.words());
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }
    }

    /** Thrown by a turn when only a restart can help. */
    final class PermanentWatcherException extends WatcherException {

        public PermanentWatcherException(Reason reason) {
            super(reason);
        }
    }

    /** The surroundings in which a turn is taken. */
    @FunctionalInterface
    interface TurnContext {

        /**
         * Returns whether the process or the watcher stops, so that the turn should end early. Called between the steps
         * of a turn.
         */
        boolean stopRequested();

        /** Makes the next turn start within this time. May be called after the turn, from any thread. */
        default void wakeIn(Duration rest) {}
    }

    /**
     * The result of a turn.
     *
     * @param state for the next turn, at most 32,000 characters
     * @param trouble whether admins should see that the turn had trouble, although the kind continues at its usual pace
     */
    record TurnResult(Duration rest, String state, Reason result, boolean trouble) {

        public TurnResult(Duration rest, String state, Reason result) {
            this(rest, state, result, false);
        }
    }
}
