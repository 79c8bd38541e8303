package org.azuremail.delivery.testmail;

import java.time.Instant;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * Remembers which replies were forwarded, in table {@code watcher}, in the partition of the watcher that read them. The
 * rows are permanent, so that a reply that is read again is not forwarded again. Safe for use from many threads and
 * processes.
 */
public final class ForwardedReplies {

    private static final String PREFIX = "reply:";

    private final Table table;

    public ForwardedReplies(Storage storage) {
        this.table = new Table(storage.tables(), "watcher");
    }

    /** Returns whether the reply was forwarded. One call. */
    public boolean wasForwarded(String watcher, String key) {
        return table.get(watcher, PREFIX + key).isPresent();
    }

    public void note(String watcher, String key, Instant at) {
        Values values = Values.builder().put("ForwardedAt", at).build();
        table.write(watcher, Write.upsert(PREFIX + key, values));
    }
}
