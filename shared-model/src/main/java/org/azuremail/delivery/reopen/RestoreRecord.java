package org.azuremail.delivery.reopen;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Key;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;

/**
 * The last restore of this storage from a backup.
 *
 * @param epoch counts restores; rows that have been processed carry it
 * @param madeAt when the backup was made; identifies the restore
 * @param noticedAt when a process first noticed that the storage is a backup
 * @param messagesBelow every message in the backup has a smaller number; every later message has this number or a
 *     larger one
 * @param revisionsBelow the same for the numbers of edited bodies
 * @param finished whether all consequences are written
 */
record RestoreRecord(
        int epoch, Instant madeAt, Instant noticedAt, long messagesBelow, long revisionsBelow, boolean finished) {

    static final String TABLE = "work";
    static final Key KEY = new Key("installation", "restore");

    static Optional<Versioned<RestoreRecord>> last(Storage storage) {
        return storage.tables().get(TABLE, KEY).map(row -> new Versioned<>(from(row.values()), row.etag()));
    }

    RestoreRecord asFinished() {
        return new RestoreRecord(epoch, madeAt, noticedAt, messagesBelow, revisionsBelow, true);
    }

    static RestoreRecord from(Values v) {
        return new RestoreRecord(
                v.integer("Epoch", 0),
                v.requireInstant("MadeAt"),
                v.requireInstant("NoticedAt"),
                v.number("MessagesBelow", 0),
                v.number("RevisionsBelow", 0),
                v.bool("Finished", false));
    }

    Values toValues() {
        return Values.builder()
                .put("Epoch", epoch)
                .put("MadeAt", madeAt)
                .put("NoticedAt", noticedAt)
                .put("MessagesBelow", messagesBelow)
                .put("RevisionsBelow", revisionsBelow)
                .put("Finished", finished)
                .build();
    }
}
