package org.azuremail.sender;

import static org.azuremail.subscription.subscriber.DepartureReason.GONE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.suppression.Suppressions;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range as they were read after R: its message, its email rows with and without an outcome, the
 * departures and the suppressed addresses. The view shrinks as rows are cleared, and is discarded after a refused
 * write. A new suppression does not rewrite R, so the suppressions are read again during a slow range.
 */
final class RangeView {

    private static final Duration SUPPRESSIONS_TTL = Duration.ofSeconds(5);

    /** An email row whose outcome is in the archive, so that it only has to be cleared. */
    record Settled(EmailRow row, RecordedOutcome outcome) {}

    private final Versioned<Message> message;
    private final List<EmailRow> open = new ArrayList<>();
    private final List<Settled> settled = new ArrayList<>();
    private final List<RecordedOutcome> sentBefore = new ArrayList<>();
    private final Map<String, DepartureReason> left;

    /** The suppressions that the fan-out found, which take precedence over later events. */
    private final Map<String, Reason> suppressedBefore = new HashMap<>();

    private Map<String, Reason> suppressed = Map.of();
    private Duration suppressedRead = Duration.ZERO;

    private RangeView(Versioned<Message> message, Map<String, DepartureReason> left) {
        this.message = message;
        this.left = left;
    }

    /**
     * Reads all rows of the range, regardless of earlier reads.
     *
     * @param date partition of the message
     * @throws HeldRange.LeaseLost when the message is no longer active
     */
    static RangeView read(SenderContext context, Range range, String date) {
        Versioned<Message> message = context.messages()
                .findAt(date, range.key().shard().ref())
                .or(() -> context.messages().findActive(range.key().shard().ref()))
                .orElseThrow(() -> new HeldRange.LeaseLost(range.key() + ", whose message is not active,"));
        List<EmailRow> rows = context.deliveries().waiting(range);
        Map<String, RecordedOutcome> outcomes =
                rows.isEmpty() ? Map.of() : context.deliveries().recorded(range);
        RangeView view = new RangeView(message, departures(context, range, rows));
        rows.forEach(row -> view.add(row, outcomes.get(row.rowKey()), range.lotInFlight()));
        view.readSuppressions(context, range);
        return view;
    }

    /** A single call serves the whole range if fewer than a thousand suppressed addresses lie between its ends. */
    private void readSuppressions(SenderContext context, Range range) {
        suppressedRead = context.time().elapsed();
        if (open.isEmpty()) {
            return;
        }
        int shard = range.key().shard().shard();
        EmailAddress last = open.get(open.size() - 1).recipient().address();
        Suppressions.SuppressionLookup lookup =
                context.suppressions().lookupUpTo(last, shard, message().shards());
        Map<String, Reason> found = new HashMap<>();
        for (EmailRow row : open) {
            lookup.findReason(row.recipient().address()).ifPresent(why -> found.put(row.rowKey(), Reason.of(why)));
        }
        suppressed = found;
    }

    /** Reads the suppressions of the open rows again, unless they were read a moment ago. */
    void refreshSuppressions(SenderContext context, Range range) {
        if (context.time().elapsed().minus(suppressedRead).compareTo(SUPPRESSIONS_TTL) >= 0) {
            readSuppressions(context, range);
        }
    }

    /**
     * Returns the departures since the fan-out. Recipients who are emailed again also need a current Subscribed row,
     * because a {@code left:} row is deleted with the person's data and with the list, and both may have happened since
     * the message was sent.
     */
    private static Map<String, DepartureReason> departures(SenderContext context, Range range, List<EmailRow> rows) {
        Map<ListName, Map<String, SubscriberGuid>> guids = new TreeMap<>();
        rows.stream().map(EmailRow::recipient).forEach(to -> guids.computeIfAbsent(to.list(), list -> new HashMap<>())
                .put(to.address().folded(), to.guid()));
        Map<String, DepartureReason> left = new HashMap<>();
        guids.forEach((list, ofList) -> departures(context, range, list, ofList, left));
        return left;
    }

    private static void departures(
            SenderContext context,
            Range range,
            ListName list,
            Map<String, SubscriberGuid> guids,
            Map<String, DepartureReason> left) {
        int shard = range.key().shard().shard();
        String from = Recipient.foldedAddress(range.span().from());
        String to = Recipient.foldedAddress(range.span().to());
        context.subscriptions().departuresIn(list, shard, from, to).forEach((folded, why) -> {
            if (guids.remove(folded) != null) {
                left.put(folded, why);
            }
        });
        if (range.span().generation() > 0) {
            Set<String> existing = context.subscriptions().stillSubscribed(list, shard, guids);
            guids.keySet().stream()
                    .filter(folded -> !existing.contains(folded))
                    .forEach(folded -> left.put(folded, GONE));
        }
    }

    private void add(EmailRow row, @Nullable RecordedOutcome outcome, @Nullable LotBounds inFlight) {
        Reason suppression = row.suppressed();
        if (!suppression.none()) {
            suppressedBefore.put(row.rowKey(), suppression);
        }
        if (outcome == null || !settles(outcome, row, inFlight)) {
            open.add(row);
            return;
        }
        settled.add(new Settled(row, outcome));
        if (outcome.generation() < row.recipient().generation()) {
            sentBefore.add(outcome.inGeneration(row.recipient().generation()));
        }
    }

    /**
     * An outcome of Skipped does not count for a recipient in a lot in flight: an earlier holder, which knew nothing
     * of the lot, recorded it.
     */
    private static boolean settles(RecordedOutcome outcome, EmailRow row, @Nullable LotBounds inFlight) {
        boolean skippedInFlight = outcome.outcome() == Outcome.SKIPPED && inFlight != null && inFlight.covers(row);
        return outcome.settles(row.recipient().generation()) && !skippedInFlight;
    }

    Message message() {
        return message.value();
    }

    /** Returns the message with the ETag under which it was read. */
    Versioned<Message> messageRead() {
        return message;
    }

    List<EmailRow> open() {
        return open;
    }

    List<EmailRow> openIn(LotBounds lot) {
        return open.stream().filter(lot::covers).toList();
    }

    List<Settled> settled() {
        return settled;
    }

    /** Returns outcomes of an older generation that also count for this one and have to be recorded in the archive. */
    List<RecordedOutcome> sentBefore() {
        return sentBefore;
    }

    /** Returns the reason why the recipient must not be emailed; {@code null} if the recipient has not left. */
    @Nullable
    DepartureReason departureReason(EmailRow row) {
        return left.isEmpty() ? null : left.get(row.recipient().address().folded());
    }

    /**
     * Returns the reason why the address must not be emailed, as the fan-out or this attempt read it; none for most
     * addresses.
     */
    Reason suppressionReason(EmailRow row) {
        Reason met = suppressedBefore.get(row.rowKey());
        return met == null ? suppressed.getOrDefault(row.rowKey(), Reason.NONE) : met;
    }

    /**
     * Returns the open rows of recipients who must not be emailed, because they left since the fan-out or are
     * suppressed.
     */
    List<EmailRow> barred() {
        if (left.isEmpty() && suppressed.isEmpty() && suppressedBefore.isEmpty()) {
            return List.of();
        }
        return open.stream()
                .filter(row ->
                        departureReason(row) != null || !suppressionReason(row).none())
                .toList();
    }

    /** Moves rows to the settled ones, with their outcomes from the archive. */
    void settle(List<EmailRow> rows, List<RecordedOutcome> outcomes) {
        for (int i = 0; i < rows.size(); i++) {
            settled.add(new Settled(rows.get(i), outcomes.get(i)));
        }
        if (rows.size() <= open.size() && open.subList(0, rows.size()).equals(rows)) {
            open.subList(0, rows.size()).clear();
            return;
        }
        Set<String> keys = new HashSet<>();
        rows.forEach(row -> keys.add(row.rowKey()));
        open.removeIf(row -> keys.contains(row.rowKey()));
    }

    /** Forgets settled rows whose email rows have been deleted. */
    void cleared(List<Settled> rows) {
        settled.subList(0, rows.size()).clear();
    }

    boolean isOpen(String rowKey) {
        return open.stream().anyMatch(row -> row.rowKey().equals(rowKey));
    }
}
