package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.limit.Wait;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.storage.StorageException;
import org.azuremail.work.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Prepare: the next lot's rows, a connection, the rendered mails, the rate's tokens. All waiting happens here; what
 * takes long releases the claim.
 */
final class Preparation {

    private static final Duration UNTIL_MENDED = Duration.ofSeconds(60);

    private final SenderParts parts;
    private final RangeAttempt attempt;
    private final NotNow notNow;
    private final BadMailSearch badMails;

    Preparation(SenderParts parts, RangeAttempt attempt, NotNow notNow, BadMailSearch badMails) {
        this.parts = parts;
        this.attempt = attempt;
        this.notNow = notNow;
        this.badMails = badMails;
    }

    sealed interface Result {}

    /** A lot that can be handed over at once: its rows, and their mails in the same order. */
    record Ready(List<WaitingRow> rows, MailLot mails) implements Result {}

    /** No lot this time; a result ends the run. */
    record NotReady(@Nullable WorkResult result) implements Result {}

    Result prepare(RangeView seen) {
        List<WaitingRow> rows = nextRows(seen);
        if (rows.isEmpty()) {
            Instant earliest = seen.earliest(candidates(seen), parts.time().instant());
            return new NotReady(notNow.waitUntil(earliest, "the provider asked to try later"));
        }
        Optional<Unavailable> unavailable = parts.transport().prepare();
        if (unavailable.isPresent()) {
            return new NotReady(notNow.leave(seen.message(), unavailable.get()));
        }
        Result rendered = render(seen, rows);
        return rendered instanceof Ready lot ? takeTokens(lot) : rendered;
    }

    /** Rows that stand next to each other, so that the lot's bounds cover nobody else. */
    private List<WaitingRow> nextRows(RangeView seen) {
        int most = mostRows();
        Instant now = parts.time().instant();
        List<WaitingRow> rows = new ArrayList<>();
        for (WaitingRow row : candidates(seen)) {
            boolean waits = row.recipient().waitsAt(now);
            if (rows.size() == most || (waits && !rows.isEmpty())) {
                break;
            }
            if (!waits) {
                rows.add(row);
            }
        }
        return rows;
    }

    private int mostRows() {
        int evenly = parts.rate().atOnce(parts.transport().lotSize());
        return attempt.lotLimit() > 0 ? Math.min(attempt.lotLimit(), evenly) : evenly;
    }

    private List<WaitingRow> candidates(RangeView seen) {
        LotBounds again = attempt.resent();
        return again == null ? seen.open() : seen.openIn(again);
    }

    private Result render(RangeView seen, List<WaitingRow> rows) {
        try {
            return new Ready(rows, parts.mails().lot(seen.message(), rows));
        } catch (BodyMissing missing) {
            String reason = String.valueOf(missing.getMessage());
            Unavailable why = new Unavailable(Unavailable.Kind.PAUSE, reason, UNTIL_MENDED);
            return new NotReady(notNow.leave(seen.message(), why));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            return new NotReady(badMails.narrow(seen, rows, e));
        }
    }

    private Result takeTokens(Ready lot) {
        int mails = lot.rows().size();
        Wait wait = parts.rate().take(mails);
        if (wait.isZero()) {
            return lot;
        }
        boolean fewerMayGo = parts.rate().atOnce(mails) < mails;
        return new NotReady(fewerMayGo ? null : notNow.await(wait));
    }
}
