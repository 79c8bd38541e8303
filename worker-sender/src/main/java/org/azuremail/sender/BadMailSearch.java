package org.azuremail.sender;

import java.time.Instant;
import java.util.List;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.work.run.WorkResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A throw before Handing: something of ours failed before anything left. It is tried again, then the lot is halved until the
 * bad mail is alone, and that one becomes a dead letter.
 */
final class BadMailSearch {

    private static final Logger LOG = LoggerFactory.getLogger(BadMailSearch.class);

    /** Throws after which the lot is halved. */
    private static final int MAX_TRIES = 5;

    private final SenderParts parts;
    private final RangeAttempt attempt;
    private final Recording recording;
    private final RangeRelease notNow;

    BadMailSearch(SenderParts parts, RangeAttempt attempt, Recording recording, RangeRelease notNow) {
        this.parts = parts;
        this.attempt = attempt;
        this.recording = recording;
        this.notNow = notNow;
    }

    /** One throw more; a result ends the run. */
    @Nullable
    WorkResult narrow(RangeView seen, List<WaitingRow> lot, RuntimeException e) {
        LOG.warn("a lot of {} mails of {} could not be prepared", lot.size(), attempt.key(), e);
        boolean searching = attempt.lotLimit() > 0;
        attempt.failing(attempt.tries() + 1, attempt.lotLimit());
        if (!searching && attempt.tries() < MAX_TRIES) {
            Instant until = parts.time().instant().plusSeconds(1L << attempt.tries());
            return notNow.waitUntil(until, Reason.of(ReasonCode.PREPARING_FAILED, String.valueOf(e.getMessage())));
        }
        if (lot.size() > 1) {
            attempt.failing(attempt.tries(), Math.max(1, lot.size() / 2));
        } else {
            bury(seen, lot.get(0), Reason.of(ReasonCode.UNPREPARED, String.valueOf(e.getMessage())));
        }
        return null;
    }

    private void bury(RangeView seen, WaitingRow bad, Reason reason) {
        parts.deadMail().add(attempt.key(), attempt.date(), bad.recipient().address(), reason);
        Outcomes outcomes = recording.outcomes();
        outcomes.add(bad, Outcome.FAILED, reason);
        recording.record(seen, outcomes);
        attempt.failing(0, 0);
    }
}
