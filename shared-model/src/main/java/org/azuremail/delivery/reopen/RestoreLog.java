package org.azuremail.delivery.reopen;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;

/**
 * The installation's epoch: a row that each restore raises by one, no matter which process notices it first, and however often
 * the steps that follow break off. Two processes that start on the same restored storage share one epoch.
 */
class RestoreLog {

    /** Numbers that are skipped, so that none that was given since the backup is given again. */
    static final long GAP = 1_000_000;

    private static final String TABLE = "work";
    private static final Key ROW = new Key("installation", "restore");

    private final TableStore tables;
    private final CompactIds ids;

    RestoreLog(Storage storage, CompactIds ids) {
        this.tables = storage.tables();
        this.ids = ids;
    }

    /** The record of the restore from a backup that was made then: the one that is there, or a new one. */
    RestoreRecord open(Instant madeAt, Instant now) {
        tables.createTable(TABLE);
        return ConditionalWrites.until("the epoch of the installation", () -> {
            Optional<Versioned<RestoreRecord>> last = last();
            if (last.isPresent() && last.get().value().madeAt().equals(madeAt)) {
                return last.map(Versioned::value);
            }
            RestoreRecord next = new RestoreRecord(
                    last.map(record -> record.value().epoch()).orElse(0) + 1,
                    madeAt,
                    now,
                    ids.free("message") + GAP,
                    ids.free("revision") + GAP,
                    false);
            return ConditionalWrites.put(tables, TABLE, ROW, next.toValues(), last, RestoreRecord::from)
                    .done()
                    .map(Versioned::value);
        });
    }

    /** From now on nothing is to be done any more; when another process was faster, this changes nothing. */
    void finish(RestoreRecord record) {
        last().filter(now -> now.value().equals(record))
                .ifPresent(now -> ConditionalWrites.replace(
                        tables, TABLE, ROW, record.asFinished().toValues(), now.etag(), RestoreRecord::from));
    }

    /** No number below the record's is given any more. */
    void leaveGaps(RestoreRecord record) {
        ids.skipTo("message", record.messagesBelow());
        ids.skipTo("revision", record.revisionsBelow());
    }

    private Optional<Versioned<RestoreRecord>> last() {
        return tables.get(TABLE, ROW).map(row -> new Versioned<>(RestoreRecord.from(row.values()), row.etag()));
    }
}
