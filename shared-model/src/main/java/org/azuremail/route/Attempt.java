package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;

/**
 * One attempt to send email. It remembers which transports recently took nothing from it. Not safe for use from several
 * threads.
 */
public final class Attempt {

    private final String who;
    private final Time time;
    private final BooleanSupplier mayWait;
    private final Map<String, Backoff> backoffs = new HashMap<>();
    private final Duration began;

    private record Backoff(Unavailable why, Instant until) {}

    /**
     * @param who a unique name for each attempt
     * @param mayWait asked every few seconds whether to continue waiting for a transport
     */
    public Attempt(String who, Time time, BooleanSupplier mayWait) {
        this.who = who;
        this.time = time;
        this.mayWait = mayWait;
        this.began = time.elapsed();
    }

    String who() {
        return who;
    }

    public Duration age() {
        return time.elapsed().minus(began);
    }

    boolean mayWait() {
        return mayWait.getAsBoolean();
    }

    /** Keeps this attempt from asking the transport again until its pause is over. */
    public void backOff(Route route, Unavailable why) {
        backoffs.put(route.name(), new Backoff(why, time.instant().plus(why.retryAfter())));
    }

    public void clearBackoffs() {
        backoffs.clear();
    }

    /**
     * Records that a limit of this transport is reached. If emails leave by another transport meanwhile, this one is
     * not asked again before the wait is over.
     *
     * @return whether the next transport is to be asked at once
     */
    public boolean limitReached(Route route, RateLimitWait wait) {
        boolean givesWay = route.shouldOverflow(wait);
        if (givesWay) {
            backOff(route, new Unavailable(Unavailable.Kind.WAIT, wait.reason(), wait.duration()));
        }
        return givesWay;
    }

    /** Returns whether a transport told this attempt a moment ago that an admin has to act. */
    public boolean needsAdmin() {
        return backoffs.values().stream()
                .anyMatch(known -> known.why().kind() != Unavailable.Kind.WAIT
                        && time.instant().isBefore(known.until()));
    }

    Optional<Unavailable> activeBackoff(String transport) {
        Instant now = time.instant();
        return Optional.ofNullable(backoffs.get(transport))
                .filter(known -> now.isBefore(known.until()))
                .map(known -> new Unavailable(
                        known.why().kind(),
                        known.why().reason(),
                        Duration.between(now, known.until()),
                        known.why().asked()));
    }
}
