package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.WaitingRow;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.Wait;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.StorageException;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the next lot: its rows, a place of a transport, the rendered mails, the rate's tokens. All waiting happens here; what
 * takes long gives the range back, and nobody is charged. A lot that cannot be made is halved until the bad mail stands alone.
 */
record Preparation(SenderParts parts, HeldRange held, Attempt routing, LotTokens tokens, Recording recording) {

    static final Duration LEFT_OF_THE_LEASE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);
    private static final Duration UNTIL_MENDED = Duration.ofSeconds(60);

    /** Longer than a range waits for its turn: one that the scheduler queues comes up to a minute late, and all behind it too. */
    private static final Duration LONG_WAIT = Duration.ofMinutes(15);

    private static final Wait ALL_PLACES_TAKEN = new Wait(Duration.ofMillis(20), Reason.NONE);

    /** Throws after which the lot is halved. */
    private static final int MAX_TRIES = 5;

    sealed interface Result {}

    /**
     * A lot that can be handed over at once: its rows, and their mails in the same order. It has a place of the transport's,
     * which whoever gets it gives back.
     *
     * @param noted the transport's name for the archive, where there are several
     */
    record Lot(
            List<WaitingRow> rows,
            MailLot mails,
            Routes.Pick.Taken by,
            @Nullable String noted) implements Result {

        Route route() {
            return by.route();
        }

        /** The one list that they are all of. */
        ListName list() {
            return rows.get(0).recipient().list();
        }
    }

    /** No lot this time; a result ends the run, otherwise all is looked at again. */
    record NoLot(@Nullable WorkResult result) implements Result {}

    Result prepare(RangeView seen) {
        List<WaitingRow> first = nextRows(seen, 1);
        if (first.isEmpty()) {
            return new NoLot(awaitRecipients(seen));
        }
        Routes.Pick pick = pick(first.get(0));
        if (pick instanceof Routes.Pick.None none) {
            return new NoLot(leave(seen.message(), none.why()));
        }
        Routes.Pick.Taken by = (Routes.Pick.Taken) pick;
        if (!by.route().enter()) {
            return new NoLot(awaitPlace());
        }
        boolean ready = false;
        try {
            Result result = render(seen, nextRows(seen, mostRows(seen, first.get(0), by.route())), by);
            result = result instanceof Lot lot ? takeTokens(seen, lot) : result;
            ready = result instanceof Lot;
            return result;
        } finally {
            if (!ready) {
                by.route().leave();
            }
        }
    }

    /**
     * The next lot where nothing is in its way: nothing is written to R and nothing waited for. An obstacle is met
     * again by {@link #prepare}.
     */
    Optional<Lot> atOnce(RangeView seen) {
        List<WaitingRow> first = nextRows(seen, 1);
        if (held.resent() != null || first.isEmpty()) {
            return Optional.empty();
        }
        if (!(pick(first.get(0)) instanceof Routes.Pick.Taken by) || !by.route().enter()) {
            return Optional.empty();
        }
        Optional<Lot> ready = Optional.empty();
        try {
            ready = made(seen, first.get(0), by)
                    .filter(lot -> tokens.take(lot, share(seen)).isZero());
            return ready;
        } finally {
            if (ready.isEmpty()) {
                by.route().leave();
            }
        }
    }

    private Optional<Lot> made(RangeView seen, WaitingRow first, Routes.Pick.Taken by) {
        try {
            return Optional.of(lot(seen, nextRows(seen, mostRows(seen, first, by.route())), by));
        } catch (StorageException away) {
            throw away;
        } catch (RuntimeException cannotBeMade) {
            return Optional.empty();
        }
    }

    private Routes.Pick pick(WaitingRow first) {
        return parts.routes().pick(parts.lists().first(first.recipient().list()), routing);
    }

    /** A recipient at whom a conversation broke comes last, and alone: whatever becomes of that lot concerns nobody else. */
    private List<WaitingRow> nextRows(RangeView seen, int most) {
        Instant now = parts.time().instant();
        Predicate<WaitingRow> due = row ->
                !row.recipient().waitsAt(now) && !tokens.waits(row.recipient().list());
        List<WaitingRow> whole = nextRows(seen, most, due.and(row -> row.brokenSince() == null));
        return whole.isEmpty() ? nextRows(seen, 1, due) : whole;
    }

    /** Rows of one list that stand next to each other among those of that list, so that the lot's bounds cover nobody else. */
    private List<WaitingRow> nextRows(RangeView seen, int most, Predicate<WaitingRow> due) {
        List<WaitingRow> rows = new ArrayList<>();
        for (WaitingRow row : candidates(seen)) {
            if (!rows.isEmpty()
                    && !row.recipient().list().equals(rows.get(0).recipient().list())) {
                continue;
            }
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

    private List<WaitingRow> candidates(RangeView seen) {
        LotBounds again = held.resent();
        return again == null ? seen.open() : seen.openIn(again);
    }

    private MessageShare share(RangeView seen) {
        return parts.ranges().shareOf(seen.message());
    }

    private int mostRows(RangeView seen, WaitingRow first, Route route) {
        int evenly = tokens.most(first.recipient().list(), route, share(seen));
        int limit = held.search().lotLimit();
        return limit > 0 ? Math.min(limit, evenly) : evenly;
    }

    /** All of those that are left wait: for their list's limit, or because they were put off. */
    private @Nullable WorkResult awaitRecipients(RangeView seen) {
        Range.Delay delay =
                tokens.delay().orElseGet(() -> new Range.Delay(earliest(seen), Reason.of(ReasonCode.PUT_OFF)));
        return waitUntil(Objects.requireNonNull(delay.notBefore()), delay.why());
    }

    /** The earliest moment at which a recipient may be mailed. */
    private Instant earliest(RangeView seen) {
        Instant now = parts.time().instant();
        return candidates(seen).stream()
                .map(row -> Objects.requireNonNullElse(row.recipient().notBefore(), now))
                .min(Comparator.naturalOrder())
                .orElse(now);
    }

    private Lot lot(RangeView seen, List<WaitingRow> rows, Routes.Pick.Taken by) {
        String noted = parts.routes().single() ? null : by.route().name();
        return new Lot(rows, parts.mails().lot(seen.message(), held.key(), rows), by, noted);
    }

    private Result render(RangeView seen, List<WaitingRow> rows, Routes.Pick.Taken by) {
        try {
            return lot(seen, rows, by);
        } catch (LotMaker.BodyMissing missing) {
            Reason reason = Reason.of(ReasonCode.BODY_MISSING, String.valueOf(missing.getMessage()));
            Unavailable why = new Unavailable(Unavailable.Kind.PAUSE, reason, UNTIL_MENDED);
            return new NoLot(leave(seen.message(), why));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            return new NoLot(searchBadMail(seen, rows, e));
        }
    }

    /** Something of ours failed before anything left: one throw more. */
    private @Nullable WorkResult searchBadMail(RangeView seen, List<WaitingRow> lot, RuntimeException e) {
        LOG.warn("a lot of {} mails of {} could not be prepared", lot.size(), held.key(), e);
        int tries = held.search().tries() + 1;
        int lotLimit = held.search().lotLimit();
        held.searching(new Range.Search(tries, lotLimit));
        if (lotLimit == 0 && tries < MAX_TRIES) {
            Instant until = parts.time().instant().plusSeconds(1L << tries);
            return waitUntil(until, Reason.of(ReasonCode.PREPARING_FAILED, String.valueOf(e.getMessage())));
        }
        if (lot.size() > 1) {
            held.searching(new Range.Search(tries, Math.max(1, lot.size() / 2)));
        } else {
            bury(seen, lot.get(0), Reason.of(ReasonCode.UNPREPARED, String.valueOf(e.getMessage())));
        }
        return null;
    }

    /** A person can look at the dead letter of this one mail, and send it again. */
    private void bury(RangeView seen, WaitingRow bad, Reason reason) {
        MessageRef ref = held.key().shard().ref();
        EmailAddress address = bad.recipient().address();
        String item = MailItem.TYPE.write(new MailItem(held.date(), ref, address.value(), true));
        String id = ref + "." + address.folded();
        parts.deadLetters()
                .add(DeadLetter.of(
                        parts.ranges().queueOf(seen.message()),
                        id,
                        item,
                        reason,
                        parts.time().instant(),
                        MAX_TRIES));
        Recording.Outcomes outcomes = recording.outcomes();
        outcomes.add(bad, Outcome.FAILED, reason);
        recording.record(seen, outcomes);
        held.searching(Range.Search.NONE);
    }

    /** The place comes before: tokens cannot be given back. */
    private Result takeTokens(RangeView seen, Lot lot) {
        int mails = lot.rows().size();
        Wait wait = tokens.take(lot, share(seen));
        if (wait.isZero()) {
            return lot;
        }
        boolean tryAgain = tokens.waits(lot.list())
                || parts.limits().atOnce(lot.list(), mails) < mails
                || lot.route().atOnce(mails, share(seen)) < mails
                || routing.full(lot.route(), wait);
        return new NoLot(tryAgain ? null : await(wait));
    }

    /** A range that has waited for half of its lease is given back. */
    private @Nullable WorkResult awaitPlace() {
        Instant soon = parts.time().instant().plus(ALL_PLACES_TAKEN.duration());
        return held.ownsFor(LEFT_OF_THE_LEASE) ? await(ALL_PLACES_TAKEN) : waitUntil(soon, Reason.NONE);
    }

    /** A limit is reached: a short wait keeps the claim. */
    private @Nullable WorkResult await(Wait wait) {
        if (wait.duration().compareTo(Route.SHORT_WAIT) > 0) {
            return waitUntil(parts.time().instant().plus(wait.duration()), wait.reason());
        }
        try {
            parts.time().sleep(wait.duration());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /**
     * The transport takes nothing: the range waits, or the message if a person has to act. Then the range goes first: a pause
     * rewrites every R, ours too, and would refuse the write that lets it go, again and again. It gets no time of its own,
     * because whoever resumes the message has done something about the reason.
     */
    private @Nullable WorkResult leave(Message message, Unavailable why) {
        if (why.kind() != Unavailable.Kind.PAUSE) {
            return waitUntil(parts.time().instant().plus(why.retryAfter()), why.reason());
        }
        if (!held.write(range -> range.released(null, why.reason()))) {
            return null;
        }
        parts.control().pause(message.ref(), why.reason());
        return WorkResult.DONE;
    }

    /** A short wait keeps the item hidden; a long one is left to the reconciler. */
    private @Nullable WorkResult waitUntil(Instant when, Reason why) {
        Duration wait = Duration.between(parts.time().instant(), when);
        if (!held.write(range -> range.released(when, why))) {
            return null;
        }
        return wait.compareTo(LONG_WAIT) > 0
                ? WorkResult.DONE
                : new WorkResult.RetryAfter(wait.isNegative() ? Duration.ZERO : wait);
    }
}
