package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.azuremail.storage.Values;

/**
 * A bucket of tokens that fills at a steady rate, up to a limit: the largest number that was ever requested at once
 * plus the tokens of one second. So small requests cannot keep large ones waiting forever.
 *
 * @param rate the tokens a second, which is also thousandths of a token a millisecond; 0 means no limit
 * @param largest the largest number of tokens that was requested at once
 * @param thousandths the present tokens, in thousandths
 * @param at when the bucket was last filled, to the millisecond
 */
record TokenBucket(int rate, int largest, long thousandths, Instant at) {

    /**
     * The greatest credible lead of a stored time over this clock. A stored time that is further ahead was wrong and is
     * not waited for.
     */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(2);

    /** Returns a bucket with the tokens of one second. */
    static TokenBucket starting(int rate, Instant now) {
        return new TokenBucket(rate, 1, rate * 1000L, now.truncatedTo(ChronoUnit.MILLIS));
    }

    static TokenBucket of(Values values) {
        return new TokenBucket(
                values.integer("Rate", 0),
                values.integer("Largest", 1),
                values.number("Thousandths", 0),
                values.requireInstant("At"));
    }

    Values values() {
        return Values.builder()
                .put("Rate", rate)
                .put("Largest", largest)
                .put("Thousandths", thousandths)
                .put("At", at)
                .build();
    }

    boolean unlimited() {
        return rate == 0;
    }

    /**
     * Returns the bucket filled up to this time. A clock that is behind adds no tokens, and no time is counted twice.
     */
    TokenBucket filled(Instant wallClock) {
        Instant now = wallClock.truncatedTo(ChronoUnit.MILLIS);
        if (now.isBefore(at)) {
            return at.minus(CLOCKS_DIFFER).isAfter(now) ? new TokenBucket(rate, largest, thousandths, now) : this;
        }
        long millis = Math.min(Duration.between(at, now).toMillis(), Integer.MAX_VALUE);
        return new TokenBucket(rate, largest, Math.min(thousandths + millis * rate, limit()), now);
    }

    /**
     * Returns whether the row must be written although no tokens are taken. Otherwise the filling would begin again
     * with each read.
     */
    boolean mustReplace(TokenBucket before) {
        return largest > before.largest || at.isBefore(before.at);
    }

    TokenBucket withLargest(int tokens) {
        return new TokenBucket(rate, Math.max(largest, tokens), thousandths, at);
    }

    TokenBucket withRate(int newRate) {
        TokenBucket changed = new TokenBucket(newRate, largest, thousandths, at);
        return new TokenBucket(newRate, largest, Math.min(thousandths, changed.limit()), at);
    }

    /** Returns the bucket for callers that leave this percentage of a second's tokens to others. */
    TokenBucket keeping(int percent) {
        return new TokenBucket(rate, largest, thousandths - rate * 10L * percent, at);
    }

    boolean has(int tokens) {
        return unlimited() || thousandths >= tokens * 1000L;
    }

    TokenBucket without(int tokens) {
        return unlimited() ? this : new TokenBucket(rate, largest, thousandths - tokens * 1000L, at);
    }

    /**
     * Returns the number of tokens to take at once when this many are needed: up to half a second's worth, so that few
     * calls are made.
     */
    int chunk(int needed) {
        return (int) Math.max(needed, Math.min(thousandths / 1000, rate / 2));
    }

    /** Returns the time until the bucket has this many tokens, by a clock with this time. */
    Duration until(int tokens, Instant wallClock) {
        long missing = Math.max(0, tokens * 1000L - thousandths);
        Instant filled = at.plusMillis((missing + rate - 1) / rate);
        Duration wait = Duration.between(wallClock, filled);
        return wait.toMillis() < 1 ? Duration.ofMillis(1) : wait;
    }

    private long limit() {
        return ((long) rate + largest) * 1000L;
    }
}
