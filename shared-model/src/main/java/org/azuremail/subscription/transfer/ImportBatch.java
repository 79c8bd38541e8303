package org.azuremail.subscription.transfer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriberBatch;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.transfer.Imports.RefusedRow;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.jspecify.annotations.Nullable;

/** The next batch of an import in one shard, filled row by row until no further row fits. */
final class ImportBatch {

    /** The most writes for subscribers. Two more rows of a batch are the shard's counts and the import's progress. */
    private static final int MAX_WRITES = TableStore.MAX_BATCH - 2;

    private final ImportDecision decision;
    private final ShardCounts.CountRow countRow;
    private final Instant now;
    private final Map<String, PlannedChange> planned = new LinkedHashMap<>();
    private final List<RefusedRow> refused = new ArrayList<>();
    private ImportProgress progress = ImportProgress.NONE;
    private final BatchBudget budget;

    /** @param counted the shard's counts, read before the subscribers of the rows */
    ImportBatch(String partition, ImportDecision decision, ShardCounts.CountRow counted, Instant now) {
        this.countRow = counted;
        this.budget = new BatchBudget(partition, MAX_WRITES);
        this.decision = decision;
        this.now = now;
    }

    /** The plan for one address, which may occur in several rows of a file. */
    private record PlannedChange(SubscriberBatch batch, Subscriber after, List<Write> writes) {}

    private PlannedChange planned(@Nullable Versioned<Subscriber> before, Subscriber after) {
        boolean changes = before == null || !before.value().equals(after);
        Subscriber indexed = before == null ? after.withIndexMark(countRow.index()) : after;
        SubscriberBatch batch = new SubscriberBatch(before, indexed, now);
        return new PlannedChange(batch, indexed, changes ? batch.writes() : List.of());
    }

    /**
     * Adds a row.
     *
     * @param stored the stored subscriber with the address, as read
     * @return false if the batch is full; the row is not in it
     */
    boolean add(ImportRow row, @Nullable Versioned<Subscriber> stored) {
        PlannedChange earlier = planned.get(row.address().folded());
        Versioned<Subscriber> before =
                earlier == null ? stored : earlier.batch().before();
        Subscriber current = earlier != null ? earlier.after() : stored == null ? null : stored.value();
        Subscriber after;
        try {
            after = decision.apply(row, current);
        } catch (ImportRefusedException refusal) {
            refused.add(row.refused(refusal.reason()));
            progress = progress.plus(new ImportProgress(row.number(), 0, 0, 0, 0));
            return true;
        }
        PlannedChange next = planned(before, after);
        if (!budget.tryReplace(earlier == null ? List.of() : earlier.writes(), next.writes())) {
            return false;
        }
        planned.put(row.address().folded(), next);
        progress = progress.plus(done(row, current));
        return true;
    }

    private ImportProgress done(ImportRow row, @Nullable Subscriber current) {
        long smtpUtf8 = row.address().needsSmtpUtf8() ? 1 : 0;
        return current == null
                ? new ImportProgress(row.number(), 1, 0, 0, smtpUtf8)
                : new ImportProgress(row.number(), 0, 1, decision.repeats(row, current) ? 1 : 0, smtpUtf8);
    }

    List<RefusedRow> refused() {
        return refused;
    }

    /** Returns the subscribers' rows in the order in which they were planned, followed by counts and progress. */
    List<Write> writes(ImportId id, @Nullable Row progressRow) {
        List<Write> all = new ArrayList<>();
        ShardCounts.CountRow changed = countRow;
        for (PlannedChange some : planned.values()) {
            all.addAll(some.writes());
            changed = changed.after(some.batch());
        }
        if (!changed.equals(countRow)) {
            all.add(changed.write());
        }
        all.add(ImportProgress.of(progressRow).plus(progress).write(id, progressRow));
        return all;
    }

    List<EmailAddress> added() {
        return planned.values().stream()
                .filter(some -> some.batch().before() == null)
                .map(some -> some.after().address())
                .toList();
    }

    /** Remembers the new rows, by row key, for later rows of the file. */
    void remember(WriteResult.Written written, Map<String, Versioned<Subscriber>> known) {
        int at = 0;
        for (PlannedChange some : planned.values()) {
            if (!some.writes().isEmpty()) {
                String etag = written.etags().get(at);
                known.put(some.after().rowKey(), new Versioned<>(some.after(), etag));
                at += some.writes().size();
            }
        }
    }

    /**
     * A row of a file with a valid address.
     *
     * @param number the line of the file in which it begins
     * @param others the cells besides the address
     * @param unconfirmed whether the row says that the person has not confirmed
     * @param repeated whether an earlier row of the same chunk has this address
     */
    record ImportRow(
            long number,
            EmailAddress address,
            Profile profile,
            List<String> others,
            boolean unconfirmed,
            boolean repeated) {

        ImportRow {
            others = RefusedRow.kept(others);
        }

        RefusedRow refused(Reason reason) {
            return new RefusedRow(number, address.value(), reason, others);
        }
    }
}
