package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mail.Unavailable;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.sender.RangeView.Settled;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.work.Delivery;
import org.azuremail.work.WorkResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at one claimed range, lot by lot: read, skip who left, prepare, write Handing, hand over, record, clear.
 * After every refused write everything is read again, so that what is written follows from what was read; only what a
 * transport answered is remembered.
 */
final class RangeRun {

    private static final Logger LOG = LoggerFactory.getLogger(RangeRun.class);

    /** Throws before a hand-over after which the lot is halved; asks of the provider to try one mail later. */
    private static final int MAX_TRIES = 5;

    private static final Duration RENEW_BELOW = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration SHORT_WAIT = Duration.ofSeconds(2);
    private static final Duration LONG_WAIT = Duration.ofSeconds(60);

    private final SenderParts parts;
    private final HeldRange held;
    private final String date;
    private final Delivery delivery;

    /** What was read; null after every refused write. */
    private @Nullable RangeView view;

    /** Whether R was found in Handing and its lot is still to be decided. */
    private boolean inherited;

    /** Recipients whom the provider asked to try later, not yet written down. */
    private final Map<String, Instant> retries = new LinkedHashMap<>();

    /** Recipients in doubt who are to be handed over once more, not yet written down. */
    private @Nullable LotBounds resend;

    /** Why the transport took nothing, not yet written down. */
    private @Nullable Unavailable unavailable;

    private boolean recount;
    private boolean lost;
    private int tries;
    private int lotLimit;

    RangeRun(SenderParts parts, HeldRange held, String date, Delivery delivery) {
        this.parts = parts;
        this.held = held;
        this.date = date;
        this.delivery = delivery;
        this.inherited = held.handing();
        this.tries = held.range().tries();
        this.lotLimit = held.range().lotLimit();
    }

    /** Works until the range is done, has to wait, or is somebody else's. */
    WorkResult run() {
        try {
            WorkResult result = null;
            while (result == null) {
                result = turn();
            }
            return result;
        } catch (LeaseLost e) {
            LOG.debug("{}", e.getMessage());
            return WorkResult.DONE;
        } finally {
            if (recount) {
                parts.rewriter().recount(held.key());
            }
        }
    }

    /** One step; a result ends the run. */
    private @Nullable WorkResult turn() {
        if (view == null) {
            view = read();
        }
        RangeView seen = view;
        inherited &= held.handing();
        if (inherited) {
            return decideDoubt(seen);
        }
        if (!seen.settled().isEmpty() || !retries.isEmpty() || resend != null) {
            return clear(seen);
        }
        if (unavailable != null) {
            return leave(seen.message(), unavailable);
        }
        if (seen.empty()) {
            return write(Range::finished) ? finished() : null;
        }
        List<WaitingRow> skipped = toSkip(seen);
        if (!skipped.isEmpty()) {
            skip(seen, skipped);
            return null;
        }
        if (seen.message().paused()) {
            return release(null, "", WorkResult.DONE);
        }
        if (delivery.stopping()) {
            return release(null, "", new WorkResult.RetryAfter(Duration.ZERO));
        }
        return handOverNext(seen);
    }

    private RangeView read() {
        Range range = held.range();
        Message message = parts.messages()
                .findAt(date, range.key().shard().ref())
                .or(() -> parts.messages().findActive(range.key().shard().ref()))
                .map(Versioned::value)
                .orElseThrow(() -> new LeaseLost(range.key() + ", whose message is not active,"));
        RangeView seen = RangeView.read(parts.deliveries(), range, message, leftSinceFanOut(message.list(), range));
        if (!seen.sentBefore().isEmpty()) {
            parts.archive().record(range.key().shard(), seen.sentBefore());
        }
        return seen;
    }

    private Set<String> leftSinceFanOut(ListName list, Range range) {
        return parts.subscriptions()
                .leftIn(
                        list,
                        range.key().shard().shard(),
                        Recipient.foldedAddress(range.from()),
                        Recipient.foldedAddress(range.to()));
    }

    // ---- who is not mailed

    private List<WaitingRow> toSkip(RangeView seen) {
        return seen.message().status() == MessageStatus.CANCELLED
                ? List.copyOf(seen.open())
                : seen.open().stream().filter(seen::hasLeft).toList();
    }

    private void skip(RangeView seen, List<WaitingRow> rows) {
        LotBounds again = resent();
        List<Recorded> outcomes = new ArrayList<>();
        for (WaitingRow row : rows) {
            boolean doubt = again != null && again.covers(row.rowKey());
            String reason = seen.hasLeft(row) ? "unsubscribed" : "cancelled";
            outcomes.add(outcome(row, doubt ? Outcome.UNKNOWN : Outcome.SKIPPED, reason));
        }
        record(seen, rows, outcomes);
    }

    // ---- a lot that somebody else began to hand over

    /** A lapsed Handing: Unknown, or handed over once more, and only once. */
    private @Nullable WorkResult decideDoubt(RangeView seen) {
        LotBounds lot = held.range().lot();
        List<WaitingRow> rows = lot == null ? List.of() : covered(seen.open(), lot);
        if (lot != null && !rows.isEmpty() && !lot.resent() && seen.message().onUnknown() == OnUnknown.RESEND) {
            LotBounds again = new LotBounds(lot.from(), lot.to(), true);
            inherited = !write(range -> range.claimed(again));
            return null;
        }
        if (!rows.isEmpty()) {
            List<Recorded> outcomes = new ArrayList<>();
            rows.forEach(row ->
                    outcomes.add(outcome(row, Outcome.UNKNOWN, "the sender stopped while handing this mail over")));
            record(seen, rows, outcomes);
        }
        inherited = false;
        return null;
    }

    // ---- hand over

    private @Nullable WorkResult handOverNext(RangeView seen) {
        List<WaitingRow> lot = nextLot(seen);
        if (lot.isEmpty()) {
            Instant earliest = seen.earliest(candidates(seen), parts.time().instant());
            return waitUntil(earliest, "the provider asked to try later");
        }
        Optional<Unavailable> notNow = parts.transport().prepare();
        if (notNow.isPresent()) {
            return leave(seen.message(), notNow.get());
        }
        MailLot mails;
        try {
            mails = parts.mails().lot(seen.message(), lot);
        } catch (BodyMissing missing) {
            return leave(
                    seen.message(),
                    new Unavailable(Unavailable.Kind.PAUSE, String.valueOf(missing.getMessage()), LONG_WAIT));
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            return failedBefore(seen, lot, e);
        }
        Duration wait = parts.rate().take(lot.size());
        if (!wait.isZero()) {
            return await(wait);
        }
        LotBounds again = resent();
        LotBounds bounds = again != null
                ? again
                : new LotBounds(lot.get(0).rowKey(), lot.get(lot.size() - 1).rowKey(), false);
        if (write(range -> range.handing(bounds)) && held.ownsFor(Duration.ZERO)) {
            settle(seen, lot, handOver(mails));
        }
        return null;
    }

    private HandOver handOver(MailLot mails) {
        lost = false;
        try {
            return parts.transport().handOver(mails, this::mayContinue);
        } catch (RuntimeException e) {
            LOG.warn("handing over a lot of {} threw", held.key(), e);
            return HandOver.same(mails.mails().size(), new Answer.Unknown(String.valueOf(e.getMessage())));
        }
    }

    /** Between two mails of a lot: the lease is checked, and renewed before it gets short. */
    private boolean mayContinue() {
        if (held.ownsFor(RENEW_BELOW)) {
            return true;
        }
        try {
            return write(UnaryOperator.identity());
        } catch (LeaseLost e) {
            lost = true;
            return false;
        }
    }

    private List<WaitingRow> candidates(RangeView seen) {
        LotBounds again = resent();
        return again == null ? seen.open() : covered(seen.open(), again);
    }

    /** Rows that stand next to each other, so that the lot's bounds cover nobody else. */
    private List<WaitingRow> nextLot(RangeView seen) {
        int evenly = parts.rate().atOnce(parts.transport().lotSize());
        int most = lotLimit > 0 ? Math.min(lotLimit, evenly) : evenly;
        Instant now = parts.time().instant();
        List<WaitingRow> lot = new ArrayList<>();
        for (WaitingRow row : candidates(seen)) {
            boolean waits = row.recipient().waitsAt(now);
            if (lot.size() == most || (waits && !lot.isEmpty())) {
                break;
            }
            if (!waits) {
                lot.add(row);
            }
        }
        return lot;
    }

    // ---- what the transport said

    /** Records every answer, whoever holds the range by now; what follows from it is written by the next turns. */
    private void settle(RangeView seen, List<WaitingRow> lot, HandOver handOver) {
        boolean again = seen.message().onUnknown() == OnUnknown.RESEND && resent() == null;
        List<WaitingRow> rows = new ArrayList<>();
        List<Recorded> outcomes = new ArrayList<>();
        List<WaitingRow> doubtful = new ArrayList<>();
        for (int i = 0; i < lot.size(); i++) {
            WaitingRow row = lot.get(i);
            Answer answer = handOver.answers().get(i);
            if (answer instanceof Answer.Unknown && again) {
                doubtful.add(row);
            } else if (!(answer instanceof Answer.Untaken)) {
                outcomeOf(row, answer).ifPresent(outcome -> {
                    rows.add(row);
                    outcomes.add(outcome);
                });
            }
        }
        tries = 0;
        recordPatiently(seen, rows, outcomes);
        if (lost) {
            throw new LeaseLost(held.key().toString());
        }
        if (!doubtful.isEmpty()) {
            resend = new LotBounds(
                    doubtful.get(0).rowKey(), doubtful.get(doubtful.size() - 1).rowKey(), true);
        }
        unavailable = handOver.unavailable().orElse(null);
    }

    private Optional<Recorded> outcomeOf(WaitingRow row, Answer answer) {
        if (answer instanceof Answer.Accepted accepted) {
            return Optional.of(outcome(row, Outcome.SENT, accepted.providerId()));
        }
        if (answer instanceof Answer.Refused refused) {
            return Optional.of(outcome(row, Outcome.FAILED, refused.reason()));
        }
        if (answer instanceof Answer.Unknown unknown) {
            return Optional.of(outcome(row, Outcome.UNKNOWN, unknown.reason()));
        }
        Answer.RetryAfter retry = (Answer.RetryAfter) answer;
        if (row.recipient().tries() + 1 >= MAX_TRIES) {
            return Optional.of(outcome(row, Outcome.FAILED, retry.reason()));
        }
        Duration delay = retry.delay().multipliedBy(1L << row.recipient().tries());
        retries.put(row.rowKey(), parts.time().instant().plus(delay));
        return Optional.empty();
    }

    private void recordPatiently(RangeView seen, List<WaitingRow> rows, List<Recorded> outcomes) {
        Duration until = parts.time().elapsed().plus(PATIENCE);
        while (!rows.isEmpty()) {
            try {
                record(seen, rows, outcomes);
                return;
            } catch (StorageException e) {
                if (delivery.stopping() || parts.time().elapsed().compareTo(until) > 0) {
                    throw e;
                }
                sleep(Duration.ofSeconds(1));
            }
        }
    }

    private void record(RangeView seen, List<WaitingRow> rows, List<Recorded> outcomes) {
        OutcomeArchive.Result result = parts.archive().record(held.key().shard(), outcomes);
        recount |= result.changedOlder();
        seen.settle(rows, result.outcomes());
    }

    // ---- clear

    /** One batch: e-mail rows that have an outcome go, rows that wait say so, and R counts them, all or nothing. */
    private @Nullable WorkResult clear(RangeView seen) {
        int room = parts.deliveries().limits().rowsPerClear();
        List<Settled> part = List.copyOf(
                seen.settled().subList(0, Math.min(room, seen.settled().size())));
        List<Write> writes = new ArrayList<>();
        OutcomeCounts counts = held.range().counts();
        for (Settled settled : part) {
            writes.add(Write.delete(settled.row().row()));
            counts = counts.plus(settled.outcome());
        }
        List<String> delayed = new ArrayList<>();
        for (WaitingRow row : seen.open()) {
            Instant notBefore = retries.get(row.rowKey());
            if (notBefore != null && writes.size() < room) {
                writes.add(row.later(notBefore));
                delayed.add(row.rowKey());
            }
        }
        boolean finished =
                seen.open().isEmpty() && part.size() == seen.settled().size();
        LotBounds next = resentAfter(seen);
        OutcomeCounts newCounts = counts;
        boolean written = write(
                range -> finished
                        ? range.counted(newCounts).finished()
                        : range.counted(newCounts).claimed(next),
                writes);
        if (written) {
            seen.cleared(part);
            afterClear(seen, delayed);
        }
        return written && finished ? finished() : null;
    }

    private void afterClear(RangeView seen, List<String> delayed) {
        resend = null;
        if (delayed.isEmpty()) {
            retries.keySet().removeIf(rowKey -> !seen.isOpen(rowKey));
        } else {
            retries.keySet().removeAll(delayed);
            view = null;
        }
    }

    /** The lot that is to be handed over once more, after this turn. */
    private @Nullable LotBounds resentAfter(RangeView seen) {
        if (resend != null) {
            return resend;
        }
        LotBounds again = resent();
        return again == null || covered(seen.open(), again).isEmpty() ? null : again;
    }

    private @Nullable LotBounds resent() {
        LotBounds lot = held.range().lot();
        return lot != null && lot.resent() ? lot : null;
    }

    // ---- not now

    /**
     * The transport takes nothing: nobody is charged, the range waits, or the message if a person has to act. Then the
     * range goes first: a pause rewrites every R, ours too, and would refuse the write that lets it go, again and again.
     * It gets no time of its own, because whoever resumes the message has done something about the reason.
     */
    private @Nullable WorkResult leave(Message message, Unavailable why) {
        if (why.kind() != Unavailable.Kind.PAUSE) {
            return waitUntil(parts.time().instant().plus(why.retryAfter()), why.reason());
        }
        WorkResult left = release(null, why.reason(), WorkResult.DONE);
        if (left != null) {
            parts.control().pause(message.ref(), why.reason());
        }
        return left;
    }

    private @Nullable WorkResult await(Duration wait) {
        if (wait.compareTo(SHORT_WAIT) > 0) {
            return waitUntil(parts.time().instant().plus(wait), "the rate limit is reached");
        }
        sleep(wait);
        return null;
    }

    private @Nullable WorkResult waitUntil(Instant when, String why) {
        return release(when, why, waiting(when));
    }

    /** A short wait keeps the item hidden; a long one is left to the reconciler. */
    private WorkResult waiting(Instant until) {
        Duration wait = Duration.between(parts.time().instant(), until);
        return wait.compareTo(LONG_WAIT) > 0
                ? WorkResult.DONE
                : new WorkResult.RetryAfter(wait.isNegative() ? Duration.ZERO : wait);
    }

    private @Nullable WorkResult release(@Nullable Instant notBefore, String why, WorkResult result) {
        return write(range -> range.released(notBefore, why)) ? result : null;
    }

    /** Something of ours threw before anything left: tried again, then the lot is halved until the bad mail is alone. */
    private @Nullable WorkResult failedBefore(RangeView seen, List<WaitingRow> lot, RuntimeException e) {
        LOG.warn("a lot of {} mails of {} could not be prepared", lot.size(), held.key(), e);
        boolean searching = lotLimit > 0;
        tries++;
        if (!searching && tries < MAX_TRIES) {
            Instant until = parts.time().instant().plusSeconds(1L << tries);
            return waitUntil(until, "preparing a mail failed: " + e.getMessage());
        }
        if (lot.size() > 1) {
            lotLimit = Math.max(1, lot.size() / 2);
            return null;
        }
        WaitingRow bad = lot.get(0);
        String reason = DeadMail.REASON + e.getMessage();
        parts.deadMail().add(held.key(), date, bad.recipient().address(), reason);
        record(seen, lot, List.of(outcome(bad, Outcome.FAILED, reason)));
        tries = 0;
        lotLimit = 0;
        return null;
    }

    // ---- small steps

    private WorkResult finished() {
        parts.signals().runSoon(Messages.DUE_MESSAGES);
        return WorkResult.DONE;
    }

    private boolean write(UnaryOperator<Range> change) {
        return write(change, List.of());
    }

    private boolean write(UnaryOperator<Range> change, List<Write> rows) {
        boolean written = held.write(range -> change.apply(range.failing(tries, lotLimit)), rows);
        if (!written) {
            view = null;
        }
        return written;
    }

    private Recorded outcome(WaitingRow row, Outcome outcome, @Nullable String detail) {
        return Recorded.of(row, outcome, detail, parts.time().instant());
    }

    private static List<WaitingRow> covered(List<WaitingRow> rows, LotBounds lot) {
        return rows.stream().filter(row -> lot.covers(row.rowKey())).toList();
    }

    private void sleep(Duration duration) {
        try {
            parts.time().sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
