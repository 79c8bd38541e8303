package org.azuremail.route;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.limit.Wait;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;

/** One attempt to get mail out: which transports took nothing from it lately. For one thread. */
public final class Attempt {

    private final String who;
    private final Time time;
    private final BooleanSupplier mayWait;
    private final Map<String, Tired> tired = new HashMap<>();
    private final Duration began;

    private record Tired(Unavailable why, Instant until) {}

    /** @param who a name of its own for each attempt */
    public Attempt(String who, Time time) {
        this(who, time, () -> true);
    }

    /** @param mayWait asked every few seconds whether to go on waiting for a transport */
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

    /** Keeps this attempt from asking the transport again until its time is over. */
    public void tire(Route route, Unavailable why) {
        tired.put(route.name(), new Tired(why, time.instant().plus(why.retryAfter())));
    }

    /** Forgets what the transports said. */
    public void rested() {
        tired.clear();
    }

    /**
     * A limit of this transport is reached: if mail goes by another meanwhile, this one is not asked again before the wait is
     * over.
     *
     * @return whether the next one is to be asked now
     */
    public boolean full(Route route, Wait wait) {
        boolean givesWay = route.givesWay(wait);
        if (givesWay) {
            tire(route, new Unavailable(Unavailable.Kind.WAIT, wait.reason(), wait.duration()));
        }
        return givesWay;
    }

    /** Returns whether a transport said to this attempt a moment ago that a person has to act. */
    public boolean awaitsPerson() {
        return tired.values().stream()
                .anyMatch(known -> known.why().kind() != Unavailable.Kind.WAIT
                        && time.instant().isBefore(known.until()));
    }

    Optional<Unavailable> tired(String transport) {
        Tired known = tired.get(transport);
        Instant now = time.instant();
        if (known == null || !now.isBefore(known.until())) {
            return Optional.empty();
        }
        Unavailable why = known.why();
        return Optional.of(
                new Unavailable(why.kind(), why.reason(), Duration.between(now, known.until()), why.asked()));
    }
}
