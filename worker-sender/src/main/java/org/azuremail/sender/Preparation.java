package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.limit.Wait;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.StorageException;
import org.azuremail.work.run.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Prepare: the next lot's rows, a connection, the rendered mails, the rate's tokens. All waiting happens here; what
 * takes long releases the claim.
 */
final class Preparation {

    private static final Duration UNTIL_MENDED = Duration.ofSeconds(60);
    private static final Wait ALL_PLACES_TAKEN = new Wait(Duration.ofMillis(20), Reason.NONE);
    private static final Duration LEFT_OF_THE_LEASE = Duration.ofSeconds(10);

    private final SenderParts parts;
    private final RangeAttempt attempt;
    private final RangeRelease notNow;
    private final BadMailSearch badMails;

    Preparation(SenderParts parts, RangeAttempt attempt, RangeRelease notNow, BadMailSearch badMails) {
        this.parts = parts;
        this.attempt = attempt;
        this.notNow = notNow;
        this.badMails = badMails;
    }

    sealed interface Result {}

    /**
     * A lot that can be handed over at once: its rows, and their mails in the same order. It has a place of the transport's,
     * which whoever gets it gives back.
     *
     * @param noted the transport's name for the archive, where there are several
     */
    record Ready(
            List<WaitingRow> rows,
            MailLot mails,
            Routes.Pick.Taken by,
            @Nullable String noted) implements Result {}

    /** No lot this time; a result ends the run. */
    record NotReady(@Nullable WorkResult result) implements Result {}

    Result prepare(RangeView seen) {
        if (nextRows(seen, 1).isEmpty()) {
            Instant earliest = seen.earliest(candidates(seen), parts.time().instant());
            return new NotReady(notNow.waitUntil(earliest, Reason.of(ReasonCode.PUT_OFF)));
        }
        Routes.Pick pick =
                parts.routes().pick(parts.lists().first(seen.message().list()), attempt.routing());
        if (pick instanceof Routes.Pick.None none) {
            return new NotReady(notNow.leave(seen.message(), none.why()));
        }
        Routes.Pick.Taken by = (Routes.Pick.Taken) pick;
        if (!by.route().enter()) {
            return new NotReady(awaitPlace());
        }
        boolean ready = false;
        try {
            Result result = render(seen, nextRows(seen, mostRows(by.route())), by);
            result = result instanceof Ready lot ? takeTokens(lot) : result;
            ready = result instanceof Ready;
            return result;
        } finally {
            if (!ready) {
                by.route().leave();
            }
        }
    }

    /** A range that has waited for half of its lease is let go. */
    private @Nullable WorkResult awaitPlace() {
        Instant soon = parts.time().instant().plus(ALL_PLACES_TAKEN.duration());
        return attempt.ownsFor(LEFT_OF_THE_LEASE)
                ? notNow.await(ALL_PLACES_TAKEN)
                : notNow.waitUntil(soon, Reason.NONE);
    }

    /**
     * The next lot where nothing stands in its way: nothing is written to R and nothing waited for. What stands in the way is
     * met again by {@link #prepare}.
     */
    Optional<Ready> atOnce(RangeView seen) {
        if (attempt.resent() != null || nextRows(seen, 1).isEmpty()) {
            return Optional.empty();
        }
        Routes.Pick pick =
                parts.routes().pick(parts.lists().first(seen.message().list()), attempt.routing());
        if (!(pick instanceof Routes.Pick.Taken by) || !by.route().enter()) {
            return Optional.empty();
        }
        Optional<Ready> ready = Optional.empty();
        try {
            ready = rendered(seen, by)
                    .filter(lot ->
                            by.route().messageLimit().take(lot.rows().size()).isZero());
            return ready;
        } finally {
            if (ready.isEmpty()) {
                by.route().leave();
            }
        }
    }

    private Optional<Ready> rendered(RangeView seen, Routes.Pick.Taken by) {
        try {
            return Optional.of(ready(seen, nextRows(seen, mostRows(by.route())), by));
        } catch (StorageException away) {
            throw away;
        } catch (RuntimeException cannotBeMade) {
            return Optional.empty();
        }
    }

    private Ready ready(RangeView seen, List<WaitingRow> rows, Routes.Pick.Taken by) {
        String noted = parts.routes().single() ? null : by.route().name();
        return new Ready(rows, parts.mails().lot(seen.message(), rows), by, noted);
    }

    /** A recipient at whom a conversation broke comes last, and alone: whatever becomes of that lot concerns nobody else. */
    private List<WaitingRow> nextRows(RangeView seen, int most) {
        Instant now = parts.time().instant();
        List<WaitingRow> due = nextRows(seen, most, row -> !row.recipient().waitsAt(now) && row.brokenSince() == null);
        return due.isEmpty() ? nextRows(seen, 1, row -> !row.recipient().waitsAt(now)) : due;
    }

    /** Rows that stand next to each other, so that the lot's bounds cover nobody else. */
    private List<WaitingRow> nextRows(RangeView seen, int most, Predicate<WaitingRow> due) {
        List<WaitingRow> rows = new ArrayList<>();
        for (WaitingRow row : candidates(seen)) {
            boolean taken = due.test(row);
            if (rows.size() == most || (!taken && !rows.isEmpty())) {
                break;
            }
            if (taken) {
                rows.add(row);
            }
        }
        return rows;
    }

    private int mostRows(Route route) {
        int evenly = route.atOnce(Integer.MAX_VALUE);
        return attempt.lotLimit() > 0 ? Math.min(attempt.lotLimit(), evenly) : evenly;
    }

    private List<WaitingRow> candidates(RangeView seen) {
        LotBounds again = attempt.resent();
        return again == null ? seen.open() : seen.openIn(again);
    }

    private Result render(RangeView seen, List<WaitingRow> rows, Routes.Pick.Taken by) {
        try {
            return ready(seen, rows, by);
        } catch (BodyMissing missing) {
            Reason reason = Reason.of(ReasonCode.BODY_MISSING, String.valueOf(missing.getMessage()));
            Unavailable why = new Unavailable(Unavailable.Kind.PAUSE, reason, UNTIL_MENDED);
            return new NotReady(notNow.leave(seen.message(), why));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            return new NotReady(badMails.narrow(seen, rows, e));
        }
    }

    /** The place comes before: tokens cannot be given back. */
    private Result takeTokens(Ready lot) {
        Route route = lot.by().route();
        int mails = lot.rows().size();
        Wait wait = route.messageLimit().take(mails);
        if (wait.isZero()) {
            return lot;
        }
        boolean tryAgain = route.atOnce(mails) < mails || attempt.routing().full(route, wait);
        return new NotReady(tryAgain ? null : notNow.await(wait));
    }
}
