package org.azuremail.limit;

import java.time.Duration;
import java.util.Optional;

/** Tracks since when requests for tokens have failed, without a pause as long as the bound. */
final class Starvation {

    private Optional<Duration> sinceElapsed = Optional.empty();
    private Duration askedElapsed = Duration.ZERO;

    boolean lasts(Duration bound, Duration now) {
        return sinceElapsed
                        .filter(since -> now.minus(since).compareTo(bound) >= 0)
                        .isPresent()
                && now.minus(askedElapsed).compareTo(bound) < 0;
    }

    void requestFailed(Duration bound, Duration now) {
        boolean pause = now.minus(askedElapsed).compareTo(bound) >= 0;
        sinceElapsed = pause || sinceElapsed.isEmpty() ? Optional.of(now) : sinceElapsed;
        askedElapsed = now;
    }

    void reset() {
        sinceElapsed = Optional.empty();
    }
}
