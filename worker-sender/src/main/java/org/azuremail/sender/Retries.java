package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.Range;
import org.azuremail.mail.Answer;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Route;
import org.azuremail.storage.Write;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Recipients who are to be tried again, and when, kept until the next clear writes this to their rows. */
final class Retries {

    /** The number of times that the provider may ask to try an email later. */
    private static final int MAX_TRIES = 5;

    /** After this time, broken conversations at one recipient count as tries even if no other email left meanwhile. */
    private static final Duration MAX_FREE_BREAKS = Duration.ofDays(1);

    private static final Duration SAME_TIME_TOLERANCE = Duration.ofMinutes(1);
    private static final Duration MAX_FREE_WAIT = Duration.ofMinutes(10);

    private final Time time;
    private final Map<String, Retry> unwritten = new LinkedHashMap<>();

    /**
     * @param delay the earliest time, and the reason; none if the provider asked for the delay without giving one
     * @param brokenSince when a conversation first broke at this recipient, if one did
     */
    private record Retry(
            Range.Delay delay, boolean counts, @Nullable Instant brokenSince) {}

    Retries(Time time) {
        this.time = time;
    }

    /**
     * Remembers to try a recipient again.
     *
     * @param down whether the transport took nothing from this process, so that a broken conversation is not the
     *     recipient's fault
     * @return whether the recipient has tries left; if not, nothing is remembered
     */
    boolean add(EmailRow row, Answer.RetryAfter retry, Route by, boolean down) {
        boolean counts = !retry.interrupted() || (!down && countsAsTry(row, by));
        if (counts && row.recipient().tries() + 1 >= MAX_TRIES) {
            return false;
        }
        unwritten.put(row.rowKey(), later(row, retry, counts));
        return true;
    }

    /**
     * Returns whether the broken conversation counts as a try of the recipient: one broke at this recipient before, and
     * the transport worked for others at that time or since. While the transport works for no recipient, no try is
     * counted.
     */
    private boolean countsAsTry(EmailRow row, Route by) {
        Instant since = row.brokenSince();
        return since != null
                && (by.healthySince(since.minus(SAME_TIME_TOLERANCE))
                        || since.plus(MAX_FREE_BREAKS).isBefore(time.instant()));
    }

    private Retry later(EmailRow row, Answer.RetryAfter retry, boolean counts) {
        Instant now = time.instant();
        Duration delay = retry.delay().multipliedBy(1L << row.recipient().tries());
        Instant since = row.brokenSince();
        if (!retry.interrupted()) {
            Reason why = retry.reason();
            Reason saying = why.none() ? why : Reason.of(ReasonCode.PUT_OFF_SAYING, why);
            return new Retry(new Range.Delay(now.plus(delay), saying), counts, since);
        }
        if (since != null && !counts) {
            // The wait doubles each time, as with a circuit breaker.
            delay = Durations.max(delay, Durations.min(Duration.between(since, now), MAX_FREE_WAIT));
        }
        return new Retry(new Range.Delay(now.plus(delay), retry.reason()), counts, since == null ? now : since);
    }

    boolean isEmpty() {
        return unwritten.isEmpty();
    }

    boolean contains(EmailRow row) {
        return unwritten.containsKey(row.rowKey());
    }

    Write write(EmailRow row) {
        Retry later = Objects.requireNonNull(unwritten.get(row.rowKey()));
        return row.postponed(later.delay, later.counts, later.brokenSince);
    }

    /** Called after a clear has written to these rows when they are to be tried again. */
    void written(RangeView seen, List<EmailRow> delayed) {
        if (delayed.isEmpty()) {
            unwritten.keySet().removeIf(rowKey -> !seen.isOpen(rowKey));
        } else {
            delayed.forEach(row -> unwritten.remove(row.rowKey()));
        }
    }
}
