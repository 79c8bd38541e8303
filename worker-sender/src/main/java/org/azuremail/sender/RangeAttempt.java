package org.azuremail.sender;

import static org.azuremail.subscription.subscriber.DepartureReason.GONE;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.RangeKey;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.list.ListName;
import org.azuremail.message.Message;
import org.azuremail.route.Attempt;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.jspecify.annotations.Nullable;

/**
 * Read: one attempt at one claimed range, and what was read under the claim. After every refused
 * write everything is read again, so that what is written follows from what was read.
 */
final class RangeAttempt {

    private final SenderParts parts;
    private final HeldRange held;
    private final String date;
    private final Attempt routing;

    /** What was read; null after every refused write. */
    private @Nullable RangeView view;

    private int tries;
    private int lotLimit;

    RangeAttempt(SenderParts parts, HeldRange held, String date) {
        this.parts = parts;
        this.held = held;
        this.date = date;
        this.routing = new Attempt(held.range().nonce(), parts.time());
        this.tries = held.range().tries();
        this.lotLimit = held.range().lotLimit();
    }

    /** What was read under the claim; reads when that is not known any more. */
    RangeView seen() {
        RangeView seen = view;
        if (seen == null) {
            seen = read();
            view = seen;
        }
        return seen;
    }

    private RangeView read() {
        Range range = range();
        Message message = parts.messages()
                .findAt(date, range.key().shard().ref())
                .or(() -> parts.messages().findActive(range.key().shard().ref()))
                .map(Versioned::value)
                .orElseThrow(() -> new LeaseLost(range.key() + ", whose message is not active,"));
        List<WaitingRow> rows = parts.deliveries().waiting(range);
        Map<String, Recorded> outcomes =
                rows.isEmpty() ? Map.of() : parts.deliveries().recorded(range);
        Map<String, DepartureReason> left = leftSinceFanOut(message.list(), range);
        if (range.generation() > 0) {
            left = withWhoeverIsGone(left, message.list(), rows);
        }
        RangeView seen = RangeView.of(rows, range.lotOnItsWay(), outcomes, message, left);
        if (!seen.sentBefore().isEmpty()) {
            parts.archive().record(range.key().shard(), seen.sentBefore());
        }
        return seen;
    }

    private Map<String, DepartureReason> leftSinceFanOut(ListName list, Range range) {
        return parts.subscriptions()
                .leftIn(
                        list,
                        range.key().shard().shard(),
                        Recipient.foldedAddress(range.from()),
                        Recipient.foldedAddress(range.to()));
    }

    /**
     * Whoever is mailed again needs a Subscribed row of their own: a {@code left:} row goes with an erasure and with the list,
     * and both may have been done since the message went out.
     */
    private Map<String, DepartureReason> withWhoeverIsGone(
            Map<String, DepartureReason> left, ListName list, List<WaitingRow> rows) {
        Map<String, SubscriberGuid> guids = new HashMap<>();
        rows.forEach(row ->
                guids.put(row.recipient().address().folded(), row.recipient().guid()));
        left.keySet().forEach(guids::remove);
        int shard = key().shard().shard();
        Set<String> there = parts.subscriptions().stillSubscribed(list, shard, guids);
        Map<String, DepartureReason> all = new HashMap<>(left);
        guids.keySet().stream().filter(folded -> !there.contains(folded)).forEach(folded -> all.put(folded, GONE));
        return all;
    }

    /** Makes {@link #seen} read again. */
    void forget() {
        view = null;
    }

    /**
     * Reads R again, and later everything else.
     *
     * @throws LeaseLost when R is not ours any more
     */
    void readAgain() {
        forget();
        held.readAgain();
    }

    /**
     * Writes R, under the claim.
     *
     * @return whether it is written; when not, all is read again
     * @throws LeaseLost when R is not ours any more
     */
    boolean write(UnaryOperator<Range> change) {
        return write(change, List.of());
    }

    /** The same with e-mail rows, all or nothing. */
    boolean write(UnaryOperator<Range> change, List<Write> rows) {
        boolean written = held.write(range -> change.apply(range.failing(tries, lotLimit)), rows);
        if (!written) {
            forget();
        }
        return written;
    }

    Range range() {
        return held.range();
    }

    RangeKey key() {
        return held.key();
    }

    String date() {
        return date;
    }

    boolean handing() {
        return held.handing();
    }

    /** Whether R may stand in Handing, as far as this attempt knows. */
    boolean mayBeHanding() {
        return held.mayBeHanding();
    }

    /** Which transports took nothing from it lately. */
    Attempt routing() {
        return routing;
    }

    /** Whether the lease is good for so long still. */
    boolean ownsFor(Duration needed) {
        return held.ownsFor(needed);
    }

    /** The lot that is to be handed over once more and never again, if there is one. */
    @Nullable
    LotBounds resent() {
        LotBounds lot = range().lot();
        return lot != null && lot.resent() ? lot : null;
    }

    int tries() {
        return tries;
    }

    int lotLimit() {
        return lotLimit;
    }

    /** What the next write of R says of throws before a hand-over. */
    void failing(int newTries, int newLotLimit) {
        tries = newTries;
        lotLimit = newLotLimit;
    }

    /** Waits without letting the range go. */
    void sleep(Duration duration) {
        try {
            parts.time().sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
