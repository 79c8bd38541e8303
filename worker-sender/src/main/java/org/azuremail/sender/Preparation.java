package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.limit.MessageShare;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Unavailable;
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
 * Prepares the next lot: its rows, a place at a transport, the rendered emails and the tokens. All waiting happens here
 * ({@link RangeWait}). A lot that cannot be made is halved until the bad email is alone.
 *
 * @param exhausted the lists whose limit was reached in this attempt. Their emails wait, those of other lists do not
 */
record Preparation(
        SenderContext context,
        HeldRange held,
        Attempt attempt,
        RangeWait waits,
        OutcomeRecorder recorder,
        Map<ListName, Range.Delay> exhausted) {

    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);
    private static final Duration REPAIR_WAIT = Duration.ofSeconds(60);

    /** The number of exceptions after which the lot is halved. */
    private static final int MAX_TRIES = 5;

    sealed interface Result {}

    /**
     * A lot with a place at the transport, which the caller gives back.
     *
     * @param transportName {@code null} if there is only one transport
     */
    record Lot(
            List<EmailRow> rows,
            MailLot mails,
            Routes.Pick.Selected selected,
            @Nullable String transportName) implements Result {

        Route route() {
            return selected.route();
        }

        ListName list() {
            return rows.get(0).recipient().list();
        }
    }

    /**
     * No lot can be prepared this time. A result ends the run; without a result, the next turn reads everything again.
     */
    record NoLot(@Nullable WorkResult result) implements Result {}

    Result prepare(RangeView seen) {
        List<EmailRow> first = nextRows(seen, 1);
        if (first.isEmpty()) {
            return new NoLot(waitForRemaining(seen));
        }
        Routes.Pick pick = pick(first.get(0));
        if (pick instanceof Routes.Pick.None none) {
            return new NoLot(waits.forTransport(seen.messageRead(), none.unavailable()));
        }
        Routes.Pick.Selected selected = (Routes.Pick.Selected) pick;
        if (!context.routes().enter(selected.route())) {
            return new NoLot(waits.forPlace(selected.route()));
        }
        boolean ready = false;
        try {
            Result result = render(seen, nextRows(seen, mostRows(seen, first.get(0), selected.route())), selected);
            result = result instanceof Lot lot ? checkLimits(seen, lot) : result;
            ready = result instanceof Lot;
            return result;
        } finally {
            if (!ready) {
                selected.route().leave();
            }
        }
    }

    /**
     * Returns the next lot if there is no obstacle, without writing to R and without waiting; {@link #prepare} deals
     * with obstacles. Returns empty after a lot that was handed over one last time, because R still names that lot, all
     * of whose recipients have an outcome.
     */
    Optional<Lot> tryPrepare(RangeView seen) {
        List<EmailRow> first = nextRows(seen, 1);
        if (first.isEmpty()
                || !(pick(first.get(0)) instanceof Routes.Pick.Selected selected)
                || !context.routes().enter(selected.route())) {
            return Optional.empty();
        }
        Optional<Lot> ready = Optional.empty();
        try {
            ready = tryBuild(seen, first.get(0), selected)
                    .filter(lot -> takeTokens(lot, share(seen)).isZero());
            return ready;
        } finally {
            if (ready.isEmpty()) {
                selected.route().leave();
            }
        }
    }

    private Optional<Lot> tryBuild(RangeView seen, EmailRow first, Routes.Pick.Selected selected) {
        try {
            return Optional.of(lot(seen, nextRows(seen, mostRows(seen, first, selected.route())), selected));
        } catch (StorageException away) {
            throw away;
        } catch (RuntimeException cannotBeMade) {
            return Optional.empty();
        }
    }

    private Routes.Pick pick(EmailRow first) {
        return context.routes()
                .pick(context.preferredTransports().of(first.recipient().list()), attempt);
    }

    /**
     * A recipient at whom a conversation broke is taken last and alone, so that the result of that lot affects no other
     * recipient.
     */
    private List<EmailRow> nextRows(RangeView seen, int max) {
        Instant now = context.time().instant();
        Predicate<EmailRow> due = row -> !row.recipient().waitsAt(now)
                && !exhausted.containsKey(row.recipient().list());
        List<EmailRow> whole = nextRows(seen, max, due.and(row -> row.brokenSince() == null));
        return whole.isEmpty() ? nextRows(seen, 1, due) : whole;
    }

    /** Returns neighbouring rows of one list, so that the lot's bounds cover no other row of that list. */
    private List<EmailRow> nextRows(RangeView seen, int max, Predicate<EmailRow> due) {
        List<EmailRow> rows = new ArrayList<>();
        for (EmailRow row : candidates(seen)) {
            if (!rows.isEmpty()
                    && !row.recipient().list().equals(rows.get(0).recipient().list())) {
                continue;
            }
            boolean taken = due.test(row);
            if (rows.size() == max || (!taken && !rows.isEmpty())) {
                break;
            }
            if (taken) {
                rows.add(row);
            }
        }
        return rows;
    }

    private List<EmailRow> candidates(RangeView seen) {
        LotBounds again = held.resent();
        return again == null ? seen.open() : seen.openIn(again);
    }

    private MessageShare share(RangeView seen) {
        return context.ranges().shareOf(seen.message());
    }

    private int mostRows(RangeView seen, EmailRow first, Route route) {
        int evenly =
                context.limits().maxAtOnce(first.recipient().list(), route.maxAtOnce(Integer.MAX_VALUE, share(seen)));
        int limit = held.search().lotLimit();
        return limit > 0 ? Math.min(limit, evenly) : evenly;
    }

    /** If the transports took nothing from this process, all remaining recipients may be waiting because of that. */
    private @Nullable WorkResult waitForRemaining(RangeView seen) {
        if (attempt.needsAdmin() && pick(seen.open().get(0)) instanceof Routes.Pick.None none) {
            return waits.forTransport(seen.messageRead(), none.unavailable());
        }
        // All remaining recipients wait: for their list's limit, or for another try.
        Range.Delay delay = exhausted.values().stream()
                .min(Comparator.comparing(one -> Objects.requireNonNull(one.notBefore())))
                .orElseGet(() -> earliest(seen));
        return waits.until(Objects.requireNonNull(delay.notBefore()), delay.reason());
    }

    /** A server's wording differs from recipient to recipient, so the range does not repeat it. */
    private Range.Delay earliest(RangeView seen) {
        Instant now = context.time().instant();
        return candidates(seen).stream()
                .map(EmailRow::recipient)
                .min(Comparator.comparing(one -> Objects.requireNonNullElse(one.notBefore(), now)))
                .map(one -> new Range.Delay(
                        Objects.requireNonNullElse(one.notBefore(), now),
                        Reason.of(one.putOff() ? ReasonCode.PUT_OFF : ReasonCode.NOT_ACCEPTED)))
                .orElseGet(() -> new Range.Delay(now, Reason.NONE));
    }

    private Lot lot(RangeView seen, List<EmailRow> rows, Routes.Pick.Selected selected) {
        String noted = context.routes().single() ? null : selected.route().name();
        return new Lot(rows, context.mails().lot(seen.message(), held.key(), rows), selected, noted);
    }

    private Result render(RangeView seen, List<EmailRow> rows, Routes.Pick.Selected selected) {
        try {
            return lot(seen, rows, selected);
        } catch (LotBuilder.BodyMissing missing) {
            Reason reason = Reason.of(ReasonCode.BODY_MISSING, String.valueOf(missing.getMessage()));
            Unavailable why = new Unavailable(Unavailable.Kind.PAUSE, reason, REPAIR_WAIT);
            return new NoLot(waits.forTransport(seen.messageRead(), why));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            return new NoLot(isolateBadMail(seen, rows, e));
        }
    }

    /** Counts one more exception of this program before anything left. */
    private @Nullable WorkResult isolateBadMail(RangeView seen, List<EmailRow> lot, RuntimeException e) {
        LOG.warn("a lot of {} mails of {} could not be prepared", lot.size(), held.key(), e);
        int tries = held.search().tries() + 1;
        int lotLimit = held.search().lotLimit();
        held.searching(new Range.Search(tries, lotLimit));
        if (lotLimit == 0 && tries < MAX_TRIES) {
            Instant until = context.time().instant().plusSeconds(1L << tries);
            return waits.until(until, Reason.of(ReasonCode.PREPARING_FAILED, String.valueOf(e.getMessage())));
        }
        if (lot.size() > 1) {
            held.searching(new Range.Search(tries, Math.max(1, lot.size() / 2)));
        } else {
            moveToDeadLetters(seen, lot.get(0), Reason.of(ReasonCode.UNPREPARED, String.valueOf(e.getMessage())));
        }
        return null;
    }

    /** Turns this one email into a dead letter, so that an admin can inspect it and send it again. */
    private void moveToDeadLetters(RangeView seen, EmailRow bad, Reason reason) {
        MessageRef ref = held.key().shard().ref();
        EmailAddress address = bad.recipient().address();
        String item = MailItem.TYPE.write(new MailItem(held.date(), ref, address.value(), true));
        String id = ref + "." + address.folded();
        String queue = context.ranges().queueOf(seen.message());
        Instant now = context.time().instant();
        context.deadLetters().add(DeadLetter.of(queue, id, item, reason, now, MAX_TRIES));
        OutcomeRecorder.Outcomes outcomes = recorder.outcomes();
        outcomes.add(bad, Outcome.FAILED, reason, null);
        recorder.record(seen, outcomes);
        held.searching(Range.Search.NONE);
    }

    /** Called after a place was taken, because the transport's tokens cannot be returned. */
    private Result checkLimits(RangeView seen, Lot lot) {
        int mails = lot.rows().size();
        RateLimitWait wait = takeTokens(lot, share(seen));
        if (wait.isZero()) {
            return lot;
        }
        boolean tryAgain = exhausted.containsKey(lot.list())
                || context.limits().maxAtOnce(lot.list(), mails) < mails
                || lot.route().maxAtOnce(mails, share(seen)) < mails
                || attempt.limitReached(lot.route(), wait);
        return new NoLot(tryAgain ? null : waits.forLimit(wait));
    }

    /** Takes the list's tokens first, because they can be returned. A wait of zero means that the lot may leave. */
    private RateLimitWait takeTokens(Lot lot, MessageShare share) {
        int mails = lot.rows().size();
        Instant now = context.time().instant();
        RateLimitWait ofList = context.limits().take(lot.list(), mails);
        if (!ofList.isZero()) {
            if (context.limits().maxAtOnce(lot.list(), mails) >= mails) {
                exhausted.put(lot.list(), context.limits().delay(lot.list(), held.key(), mails, ofList));
            }
            return ofList;
        }
        RateLimitWait ofTransport = lot.route().limit(share).take(mails);
        if (!ofTransport.isZero()) {
            context.limits().giveBack(lot.list(), mails, now);
        }
        return ofTransport;
    }
}
