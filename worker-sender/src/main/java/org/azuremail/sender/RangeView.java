package org.azuremail.sender;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.Recorded;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a range after R: its e-mail rows, split into those that have an outcome and those that have none, and
 * who left. Shrinks as rows are cleared; thrown away after any refused write.
 */
final class RangeView {

    /** An e-mail row whose outcome stands in the archive: only to be cleared. */
    record Settled(WaitingRow row, Outcome outcome) {}

    private final Message message;
    private final List<WaitingRow> open = new ArrayList<>();
    private final List<Settled> settled = new ArrayList<>();
    private final List<Recorded> sentBefore = new ArrayList<>();
    private final Map<String, DepartureReason> left;

    private RangeView(Message message, Map<String, DepartureReason> left) {
        this.message = message;
        this.left = left;
    }

    /**
     * Of rows that were read after the range.
     *
     * @param lot who is being handed over, or has to be once more
     * @param outcomes what the archive says of them
     */
    static RangeView of(
            List<WaitingRow> rows,
            @Nullable LotBounds lot,
            Map<String, Recorded> outcomes,
            Message message,
            Map<String, DepartureReason> left) {
        RangeView view = new RangeView(message, left);
        for (WaitingRow row : rows) {
            Recorded outcome = outcomes.get(row.rowKey());
            if (outcome == null || !settles(outcome, row, lot)) {
                view.open.add(row);
            } else {
                view.settled.add(new Settled(row, outcome.outcome()));
                if (outcome.generation() < row.recipient().generation()) {
                    view.sentBefore.add(outcome.inGeneration(row.recipient().generation()));
                }
            }
        }
        return view;
    }

    /** Who is in a lot was not skipped by its holder: somebody whose lease had lapsed knew nothing of the lot. */
    private static boolean settles(Recorded outcome, WaitingRow row, @Nullable LotBounds lot) {
        boolean skippedInTheAir = outcome.outcome() == Outcome.SKIPPED && lot != null && lot.covers(row.rowKey());
        return outcome.settles(row.recipient().generation()) && !skippedInTheAir;
    }

    Message message() {
        return message;
    }

    /** Rows without an outcome, in order. */
    List<WaitingRow> open() {
        return open;
    }

    /** Rows without an outcome that belong to this lot, in order. */
    List<WaitingRow> openIn(LotBounds lot) {
        return open.stream().filter(row -> lot.covers(row.rowKey())).toList();
    }

    List<Settled> settled() {
        return settled;
    }

    /** Outcomes of an older generation that hold for this one too: the archive has to say so. */
    List<Recorded> sentBefore() {
        return sentBefore;
    }

    boolean hasLeft(WaitingRow row) {
        return whyLeft(row) != null;
    }

    /** Why the recipient must not be mailed any more; {@code null} for whoever has not left. */
    @Nullable
    DepartureReason whyLeft(WaitingRow row) {
        return left.isEmpty() ? null : left.get(row.recipient().address().folded());
    }

    /** Whether nothing is left to do. */
    boolean empty() {
        return open.isEmpty() && settled.isEmpty();
    }

    /** Moves rows to the settled ones, with the outcomes that stand in the archive. */
    void settle(List<WaitingRow> rows, List<Recorded> outcomes) {
        for (int i = 0; i < rows.size(); i++) {
            settled.add(new Settled(rows.get(i), outcomes.get(i).outcome()));
        }
        Set<String> keys = new HashSet<>();
        rows.forEach(row -> keys.add(row.rowKey()));
        open.removeIf(row -> keys.contains(row.rowKey()));
    }

    /** Settled rows whose e-mail rows are gone now. */
    void cleared(List<Settled> rows) {
        settled.subList(0, rows.size()).clear();
    }

    boolean isOpen(String rowKey) {
        return open.stream().anyMatch(row -> row.rowKey().equals(rowKey));
    }

    /** The earliest moment at which a row may be handed over. */
    Instant earliest(List<WaitingRow> rows, Instant now) {
        Instant earliest = null;
        for (WaitingRow row : rows) {
            Recipient recipient = row.recipient();
            Instant when = recipient.notBefore() == null ? now : recipient.notBefore();
            earliest = earliest == null || when.isBefore(earliest) ? when : earliest;
        }
        return earliest == null ? now : earliest;
    }
}
