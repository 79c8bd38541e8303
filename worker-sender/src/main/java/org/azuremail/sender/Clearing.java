package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.sender.RangeView.Settled;
import org.azuremail.storage.BatchRoom;
import org.azuremail.storage.Write;
import org.azuremail.work.run.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Clear, in one batch: e-mail rows that have an outcome go, rows that wait say so, and R counts them, all or nothing.
 * The clear that ends the range makes it Done.
 */
final class Clearing {

    private final SenderParts parts;
    private final RangeAttempt attempt;
    private final LotAnswers answers;

    Clearing(SenderParts parts, RangeAttempt attempt, LotAnswers answers) {
        this.parts = parts;
        this.attempt = attempt;
        this.answers = answers;
    }

    /** E-mail rows that go, and the counts with them. */
    record Part(List<Settled> rows, OutcomeCounts counts) {

        List<Write> deletes() {
            return rows.stream()
                    .map(settled -> Write.delete(settled.row().row()))
                    .toList();
        }
    }

    /** What is left to be cleared, when that is one batch and nothing else has to be written with it. */
    Optional<Part> last(RangeView seen) {
        Part part = next(seen);
        boolean all = part.rows().size() == seen.settled().size();
        return all && !part.rows().isEmpty() && !answers.unwritten() ? Optional.of(part) : Optional.empty();
    }

    private Part next(RangeView seen) {
        int room = parts.deliveries().limits().rowsPerClear();
        List<Settled> rows = List.copyOf(
                seen.settled().subList(0, Math.min(room, seen.settled().size())));
        OutcomeCounts counts = attempt.range().counts();
        for (Settled settled : rows) {
            counts = counts.plus(settled.outcome());
        }
        return new Part(rows, counts);
    }

    /** One batch; a result ends the run. */
    @Nullable
    WorkResult clear(RangeView seen) {
        int room = parts.deliveries().limits().rowsPerClear();
        Part next = next(seen);
        List<Settled> part = next.rows();
        List<WaitingRow> delayed = delayed(seen, next, room);
        boolean last = seen.open().isEmpty() && part.size() == seen.settled().size();
        if (!attempt.write(change(seen, next.counts(), last), writes(next, delayed))) {
            return null;
        }
        seen.cleared(part);
        answers.written(seen, delayed);
        if (!delayed.isEmpty()) {
            attempt.forget();
        }
        return last ? done() : null;
    }

    /** Those that still fit the batch: their rows are written whole. */
    private List<WaitingRow> delayed(RangeView seen, Part part, int most) {
        if (!answers.unwritten()) {
            return List.of();
        }
        BatchRoom room = new BatchRoom(attempt.key().shard().partition(), most);
        room.take(part.deletes());
        return seen.open().stream()
                .filter(answers::waits)
                .takeWhile(row -> room.take(answers.later(row)))
                .toList();
    }

    private UnaryOperator<Range> change(RangeView seen, OutcomeCounts counted, boolean last) {
        LotBounds next = resentAfter(seen);
        return range -> last
                ? range.counted(counted).finished()
                : range.counted(counted).claimed(next);
    }

    /** The lot that is to be handed over once more, after this turn. */
    private @Nullable LotBounds resentAfter(RangeView seen) {
        if (answers.resend() != null) {
            return answers.resend();
        }
        LotBounds again = attempt.resent();
        return again == null || seen.openIn(again).isEmpty() ? null : again;
    }

    private List<Write> writes(Part part, List<WaitingRow> delayed) {
        List<Write> writes = new ArrayList<>(part.deletes());
        delayed.forEach(row -> writes.add(answers.later(row)));
        return writes;
    }

    /** Nothing is left to clear, only R is not Done yet. */
    @Nullable
    WorkResult finish() {
        return attempt.write(Range::finished) ? done() : null;
    }

    private WorkResult done() {
        parts.underWay().done(attempt.key().shard().ref());
        return WorkResult.DONE;
    }
}
