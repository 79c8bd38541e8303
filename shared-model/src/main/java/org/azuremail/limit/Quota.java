package org.azuremail.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.azuremail.time.Durations;

/**
 * The number of emails that one provider still accepts, by all of its limits together. An email needs a token of each
 * limit.
 *
 * @param bucket the limit of emails a second; its clock also counts for the windows
 * @param windows the window of each longer period that has a limit
 */
record Quota(TokenBucket bucket, List<SlidingWindow> windows) {

    Quota {
        windows = List.copyOf(windows);
    }

    static Quota starting(Limits limits, Instant now) {
        return new Quota(TokenBucket.starting(limits.perSecond(), now), windows(limits, List.of()));
    }

    static Quota of(Values values) {
        List<SlidingWindow> windows = new ArrayList<>();
        for (Period period : Period.values()) {
            int limit = values.integer(limitProperty(period), 0);
            if (limit > 0) {
                windows.add(SlidingWindow.parse(period, limit, values.string(slotsProperty(period), "")));
            }
        }
        return new Quota(TokenBucket.of(values), windows);
    }

    Values values() {
        Values.Builder values = bucket.values().toBuilder();
        for (SlidingWindow window : windows) {
            values.put(limitProperty(window.period()), window.limit());
            values.put(slotsProperty(window.period()), window.text());
        }
        return values.build();
    }

    private static String limitProperty(Period period) {
        return "Per" + period.capitalized();
    }

    private static String slotsProperty(Period period) {
        return "InLast" + period.capitalized();
    }

    /** Returns the windows after a change of the limits. A new limit begins without past emails. */
    private static List<SlidingWindow> windows(Limits limits, List<SlidingWindow> before) {
        List<SlidingWindow> windows = new ArrayList<>();
        for (Period period : Period.values()) {
            int limit = limits.of(period);
            if (limit > 0) {
                windows.add(find(before, period)
                        .orElse(SlidingWindow.empty(period, limit))
                        .withLimit(limit));
            }
        }
        return windows;
    }

    private static Optional<SlidingWindow> find(List<SlidingWindow> windows, Period period) {
        return windows.stream().filter(window -> window.period() == period).findFirst();
    }

    Limits limits() {
        return new Limits(bucket.rate(), limit(Period.MINUTE), limit(Period.HOUR), limit(Period.DAY));
    }

    private int limit(Period period) {
        return find(windows, period).map(SlidingWindow::limit).orElse(0);
    }

    Quota withLimits(Limits limits) {
        return new Quota(bucket.withRate(limits.perSecond()), windows(limits, windows));
    }

    /**
     * Returns the part of the quota that messages may use. A part of each longer period is kept back.
     *
     * @param percent the share of what all messages may use, 1 to 100
     * @param kept the percentage of a second's tokens that is kept back
     */
    Quota forMessages(int percent, int kept) {
        return new Quota(
                bucket.keeping(kept),
                windows.stream().map(window -> window.forMessages(percent)).toList());
    }

    boolean unlimited() {
        return bucket.unlimited() && windows.isEmpty();
    }

    /** Returns whether tokens must be used immediately, because they count from the time at which they are taken. */
    boolean hasWindows() {
        return !windows.isEmpty();
    }

    /** Returns the quota at this time. A clock that is behind changes nothing. */
    Quota filled(Instant now) {
        TokenBucket filled = bucket.filled(now);
        boolean setBack = filled.at().isBefore(bucket.at());
        UnaryOperator<SlidingWindow> to = setBack
                ? window -> window.setBack(bucket.at(), filled.at()).at(filled.at())
                : window -> window.at(filled.at());
        return new Quota(filled, windows.stream().map(to).toList());
    }

    boolean mustReplace(Quota before) {
        return bucket.mustReplace(before.bucket);
    }

    Quota withLargest(int tokens) {
        return new Quota(bucket.withLargest(tokens), windows);
    }

    boolean has(int tokens) {
        return bucket.has(tokens) && windows.stream().allMatch(window -> window.room() >= tokens);
    }

    Quota without(int tokens) {
        return new Quota(
                bucket.without(tokens),
                windows.stream().map(window -> window.with(tokens, bucket.at())).toList());
    }

    /** Returns a copy to which tokens of the longer periods are returned that were taken at the given time. */
    Quota givenBack(int tokens, Instant takenAt) {
        return new Quota(
                bucket,
                windows.stream()
                        .map(window -> window.givenBack(tokens, takenAt))
                        .toList());
    }

    /** Returns the number of whole tokens of the current second. */
    int inBucket() {
        return (int) Math.max(0, bucket.thousandths() / 1000);
    }

    int chunk(int needed) {
        return hasWindows() ? needed : bucket.chunk(needed);
    }

    /**
     * Returns how many of these emails to ask for: as many as there are tokens or, if there are none, as many as there
     * can ever be.
     */
    int maxAtOnce(int mails) {
        int max = bucket.unlimited() ? mails : Math.min(mails, bucket.rate());
        for (SlidingWindow window : windows) {
            int room = window.room();
            max = Math.min(max, room > 0 ? room : window.most());
        }
        return max;
    }

    /**
     * Returns the time until the quota has this many tokens, by a clock with this time, and the limit that causes the
     * wait.
     */
    RateLimitWait until(int tokens, Instant wallClock, String provider) {
        Optional<SlidingWindow> last =
                windows.stream().reduce((a, b) -> free(b, tokens).isBefore(free(a, tokens)) ? a : b);
        Duration wait = bucket.has(tokens) ? Duration.ofMillis(1) : bucket.until(tokens, wallClock);
        if (last.isPresent()) {
            Instant free = free(last.get(), tokens);
            Duration longer = Duration.between(wallClock, free);
            if (bucket.unlimited() || longer.compareTo(wait) > 0) {
                Duration longest = Durations.max(longer, wait);
                return new RateLimitWait(longest, last.get().reached(provider, free));
            }
        }
        return new RateLimitWait(wait, Reason.of(ReasonCode.RATE_SECOND, provider, bucket.rate()));
    }

    private Instant free(SlidingWindow window, int tokens) {
        return window.freeFor(tokens, bucket.at());
    }
}
