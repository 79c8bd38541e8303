package org.azuremail.delivery.archive;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;

/**
 * Records outcomes. Repeatable: an existing outcome is merged, so that a repeated or late record, or one whose answer
 * was lost, leads to the same row. If a record changes an outcome, the counts are corrected even if the caller dies
 * ({@link PendingRecounts}).
 */
public record OutcomeArchive(TableStore tables, DeliveryLimits limits) {

    /**
     * The content of the archive after recording.
     *
     * @param outcomes in the order in which they were given
     * @param changed row keys of recorded outcomes that were changed: the counts of the ranges that cover them may now
     *     be wrong
     */
    public record Result(List<RecordedOutcome> outcomes, Set<String> changed) {}

    /**
     * Records outcomes of one shard.
     *
     * @throws StorageException when the archive cannot be reached; some outcomes may have been recorded
     */
    public Result record(ShardKey shard, List<RecordedOutcome> outcomes) {
        List<RecordedOutcome> merged = new ArrayList<>(outcomes.size());
        Set<String> changed = new HashSet<>();
        List<Insert> inserts = outcomes.stream()
                .map(outcome -> new Insert(outcome, insert(outcome)))
                .toList();
        for (List<Insert> chunk : BatchBudget.divide(shard.partition(), limits.batch(), inserts, Insert::write)) {
            Result result = recordChunk(shard, chunk);
            merged.addAll(result.outcomes());
            changed.addAll(result.changed());
        }
        return new Result(merged, changed);
    }

    /** An insert, which is created only once for each email, because it is a large part of an email's cost. */
    private record Insert(RecordedOutcome outcome, Write write) {}

    private Result recordChunk(ShardKey shard, List<Insert> inserts) {
        List<RecordedOutcome> chunk = inserts.stream().map(Insert::outcome).toList();
        boolean written = ConditionalWrites.attempt(() -> tables.write(
                        ARCHIVE,
                        shard.partition(),
                        inserts.stream().map(Insert::write).toList()))
                .isPresent();
        return written ? new Result(chunk, Set.of()) : mergeChunk(shard, chunk);
    }

    private static Write insert(RecordedOutcome outcome) {
        return Write.insert(outcome.rowKey(), outcome.toValues());
    }

    /** Merges a chunk. It leaves room in the batch for the mark of {@link PendingRecounts}. */
    private Result mergeChunk(ShardKey shard, List<RecordedOutcome> chunk) {
        return chunk.size() < limits.batch() ? merge(shard, chunk) : mergeHalves(shard, chunk);
    }

    private Result mergeHalves(ShardKey shard, List<RecordedOutcome> chunk) {
        Result first = mergeChunk(shard, chunk.subList(0, chunk.size() / 2));
        Result rest = mergeChunk(shard, chunk.subList(chunk.size() / 2, chunk.size()));
        List<RecordedOutcome> merged = new ArrayList<>(first.outcomes());
        merged.addAll(rest.outcomes());
        Set<String> changed = new HashSet<>(first.changed());
        changed.addAll(rest.changed());
        return new Result(merged, changed);
    }

    private Result merge(ShardKey shard, List<RecordedOutcome> chunk) {
        Set<String> changed = new HashSet<>();
        return ConditionalWrites.retry("an outcome in " + shard.partition(), () -> {
            List<RecordedOutcome> merged = new ArrayList<>(chunk.size());
            List<Write> writes = new ArrayList<>();
            BatchBudget budget = new BatchBudget(shard.partition(), limits.batch() - 1);
            boolean fits = true;
            Instant late = null;
            for (RecordedOutcome outcome : chunk) {
                Optional<Row> existing = tables.get(ARCHIVE, shard.partition(), outcome.rowKey());
                RecordedOutcome old = existing.map(row -> RecordedOutcome.from(row.rowKey(), row.values()))
                        .orElse(null);
                RecordedOutcome now = old == null ? outcome : old.merge(outcome);
                merged.add(now);
                if (old == null) {
                    writes.add(insert(now));
                    fits &= budget.tryAdd(insert(now));
                } else if (!now.toValues().equals(old.toValues())) {
                    writes.add(Write.replace(existing.orElseThrow(), now.toValues()));
                    fits &= budget.tryAdd(writes.get(writes.size() - 1));
                    changed.add(now.rowKey());
                    late = outcome.generation() > old.generation() ? late : outcome.at();
                }
            }
            if (!fits) {
                return Optional.of(mergeHalves(shard, chunk));
            }
            if (late != null) {
                writes.add(PendingRecounts.announce(tables, shard, late));
            }
            boolean settled = writes.isEmpty()
                    || tables.write(ARCHIVE, shard.partition(), writes).written();
            return settled ? Optional.of(new Result(merged, changed)) : Optional.empty();
        });
    }
}
