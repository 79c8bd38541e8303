package org.azuremail.subscription.transfer;

import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.transfer.SubscriberImport.ImportId;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an import in a shard. Its row is in the shard's partition, so it changes in the same batch as the
 * subscribers.
 *
 * @param lastRow the line of the last finished row; 0 before the first
 */
record ImportProgress(long lastRow, long imported, long updated, long repeated, long smtpUtf8) {

    static final ImportProgress NONE = new ImportProgress(0, 0, 0, 0, 0);

    static ImportProgress of(@Nullable Row row) {
        return row == null
                ? NONE
                : new ImportProgress(
                        row.values().number("LastRow", 0),
                        row.values().number("Imported", 0),
                        row.values().number("Updated", 0),
                        row.values().number("Repeated", 0),
                        row.values().number("SmtpUtf8", 0));
    }

    static String key(ImportId id) {
        return SubscriberKeys.IMPORT + id;
    }

    ImportProgress plus(ImportProgress other) {
        return new ImportProgress(
                Math.max(lastRow, other.lastRow),
                imported + other.imported,
                updated + other.updated,
                repeated + other.repeated,
                smtpUtf8 + other.smtpUtf8);
    }

    Write write(ImportId id, @Nullable Row row) {
        Values values = Values.builder()
                .put("LastRow", lastRow)
                .put("Imported", imported)
                .put("Updated", updated)
                .put("Repeated", repeated)
                .put("SmtpUtf8", smtpUtf8)
                .build();
        return row == null ? Write.insert(key(id), values) : Write.replace(row, values);
    }
}
