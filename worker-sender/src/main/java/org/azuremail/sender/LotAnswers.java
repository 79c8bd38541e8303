package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * What the transport said of a lot. Answers that are outcomes are recorded at once; what else follows from them is
 * remembered here until the next clear has written it down.
 */
final class LotAnswers {

    /** How often the provider may ask to try one mail later. */
    private static final int MAX_TRIES = 5;

    private final Time time;
    private final RangeAttempt attempt;
    private final Recording recording;

    /** Recipients whom the provider asked to try later, not yet written down. */
    private final Map<String, Instant> retries = new LinkedHashMap<>();

    /** Recipients in doubt who are to be handed over once more, not yet written down. */
    private @Nullable LotBounds resend;

    LotAnswers(Time time, RangeAttempt attempt, Recording recording) {
        this.time = time;
        this.attempt = attempt;
        this.recording = recording;
    }

    /**
     * Records every answer, whoever holds the range by now; what follows from it is written by the next turns.
     *
     * @param by the transport, where there are several
     */
    void settle(RangeView seen, List<WaitingRow> lot, HandOver handOver, @Nullable String by) {
        boolean again = seen.message().onUnknown() == OnUnknown.RESEND && attempt.resent() == null;
        Outcomes outcomes = recording.outcomes();
        List<WaitingRow> doubtful = new ArrayList<>();
        for (int i = 0; i < lot.size(); i++) {
            Answer answer = handOver.answers().get(i);
            if (answer instanceof Answer.Unknown && again) {
                doubtful.add(lot.get(i));
            } else {
                settle(lot.get(i), answer, outcomes, by);
            }
        }
        attempt.failing(0, attempt.lotLimit());
        recording.recordPatiently(seen, outcomes);
        if (!doubtful.isEmpty()) {
            resend = LotBounds.around(doubtful, true);
        }
    }

    private void settle(WaitingRow row, Answer answer, Outcomes outcomes, @Nullable String by) {
        if (answer instanceof Answer.Accepted accepted) {
            outcomes.add(row, Outcome.SENT, accepted.providerId(), by);
        } else if (answer instanceof Answer.Refused refused) {
            outcomes.add(row, Outcome.FAILED, refused.reason(), by);
        } else if (answer instanceof Answer.Unknown unknown) {
            outcomes.add(row, Outcome.UNKNOWN, unknown.reason(), by);
        } else if (answer instanceof Answer.RetryAfter retry) {
            retryLater(row, retry, outcomes, by);
        }
    }

    private void retryLater(WaitingRow row, Answer.RetryAfter retry, Outcomes outcomes, @Nullable String by) {
        int tries = row.recipient().tries();
        if (tries + 1 >= MAX_TRIES) {
            outcomes.add(row, Outcome.FAILED, retry.reason(), by);
        } else {
            Duration delay = retry.delay().multipliedBy(1L << tries);
            retries.put(row.rowKey(), time.instant().plus(delay));
        }
    }

    /** Whether something is left for the next clear. */
    boolean unwritten() {
        return !retries.isEmpty() || resend != null;
    }

    /** Until when this row has to wait, if the provider asked for it. */
    @Nullable
    Instant retryAt(WaitingRow row) {
        return retries.get(row.rowKey());
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
