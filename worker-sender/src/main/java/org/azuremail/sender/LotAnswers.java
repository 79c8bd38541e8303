package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.route.Route;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * What the transport said of a lot. Answers that are outcomes are recorded at once; what else follows from them is
 * remembered here until the next clear has written it down.
 */
final class LotAnswers {

    /** How often the provider may ask to try one mail later. */
    private static final int MAX_TRIES = 5;

    /** After so long it counts that the conversation breaks at one mail, whether or not others went out meanwhile. */
    private static final Duration BROKEN_FREELY = Duration.ofDays(1);

    private final Time time;
    private final RangeAttempt attempt;
    private final Recording recording;

    private static final Duration AT_THAT_TIME = Duration.ofMinutes(1);

    private static final Duration LONGEST_FREE_WAIT = Duration.ofMinutes(10);

    /** Recipients whom the provider asked to try later, not yet written down. */
    private final Map<String, Later> retries = new LinkedHashMap<>();

    /** Recipients in doubt who are to be handed over once more, not yet written down. */
    private @Nullable LotBounds resend;

    /**
     * When to try again.
     *
     * @param counts whether it is one of the recipient's tries
     * @param brokenSince when a conversation broke at this recipient for the first time, if one did
     */
    private record Later(
            Instant when, boolean counts, @Nullable Instant brokenSince) {

        private Write of(WaitingRow row) {
            return row.later(when, counts, brokenSince);
        }
    }

    LotAnswers(Time time, RangeAttempt attempt, Recording recording) {
        this.time = time;
        this.attempt = attempt;
        this.recording = recording;
    }

    /**
     * Records every answer, whoever holds the range by now; what follows from it is written by the next turns.
     *
     * @param by the transport
     * @param noted its name, where there are several
     */
    void settle(RangeView seen, List<WaitingRow> lot, HandOver handOver, Route by, @Nullable String noted) {
        boolean again = seen.message().onUnknown() == OnUnknown.RESEND && attempt.resent() == null;
        Outcomes outcomes = recording.outcomes();
        List<WaitingRow> doubtful = new ArrayList<>();
        for (int i = 0; i < lot.size(); i++) {
            Answer answer = handOver.answers().get(i);
            if (answer instanceof Answer.Unknown && again) {
                doubtful.add(lot.get(i));
            } else {
                settle(lot.get(i), answer, outcomes, by, noted);
            }
        }
        attempt.failing(0, attempt.lotLimit());
        recording.recordPatiently(seen, outcomes);
        if (!doubtful.isEmpty()) {
            resend = LotBounds.around(doubtful, true);
        }
    }

    private void settle(WaitingRow row, Answer answer, Outcomes outcomes, Route by, @Nullable String noted) {
        if (answer instanceof Answer.Accepted accepted) {
            outcomes.sent(row, accepted.providerId(), noted);
        } else if (answer instanceof Answer.Refused refused) {
            outcomes.add(row, Outcome.FAILED, refused.reason(), noted);
        } else if (answer instanceof Answer.Unknown unknown) {
            outcomes.add(row, Outcome.UNKNOWN, unknown.reason(), noted);
        } else if (answer instanceof Answer.RetryAfter retry) {
            boolean counts = !retry.broke() || countsAsTry(row, by);
            if (counts && row.recipient().tries() + 1 >= MAX_TRIES) {
                outcomes.add(row, Outcome.FAILED, retry.reason(), noted);
            } else {
                retries.put(row.rowKey(), later(row, retry, counts));
            }
        }
    }

    private Later later(WaitingRow row, Answer.RetryAfter retry, boolean counts) {
        Instant now = time.instant();
        Duration delay = retry.delay().multipliedBy(1L << row.recipient().tries());
        Instant since = row.brokenSince();
        if (!retry.broke()) {
            return new Later(now.plus(delay), counts, since);
        }
        if (since == null || counts) {
            return new Later(now.plus(delay), counts, since == null ? now : since);
        }
        // As long again as it has been broken, as a breaker does.
        Duration broken = Duration.between(since, now);
        Duration atMost = broken.compareTo(LONGEST_FREE_WAIT) > 0 ? LONGEST_FREE_WAIT : broken;
        return new Later(now.plus(atMost.compareTo(delay) > 0 ? atMost : delay), false, since);
    }

    /**
     * Whether it is about this recipient that the conversation broke: it did so before, and the transport was well for others at
     * that time or since. While it is well for nobody, nobody is charged.
     */
    private boolean countsAsTry(WaitingRow row, Route by) {
        Instant since = row.brokenSince();
        return since != null
                && (by.wellSince(since.minus(AT_THAT_TIME))
                        || since.plus(BROKEN_FREELY).isBefore(time.instant()));
    }

    /** Whether something is left for the next clear. */
    boolean unwritten() {
        return !retries.isEmpty() || resend != null;
    }

    /** Whether this row is to be tried later. */
    boolean waits(WaitingRow row) {
        return retries.containsKey(row.rowKey());
    }

    /** The write that says so. */
    Write later(WaitingRow row) {
        return Objects.requireNonNull(retries.get(row.rowKey())).of(row);
    }

    @Nullable
    LotBounds resend() {
        return resend;
    }

    /** A clear is written, and these rows say when they are to be tried again. */
    void written(RangeView seen, List<WaitingRow> delayed) {
        resend = null;
        if (delayed.isEmpty()) {
            retries.keySet().removeIf(rowKey -> !seen.isOpen(rowKey));
        } else {
            delayed.forEach(row -> retries.remove(row.rowKey()));
        }
    }
}
