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
    private static final String FORWARDED = "ForwardedAt";

    private final Table table;

    public ForwardedReplies(Storage storage) {
        this.table = new Table(storage.tables(), "watcher");
    }

    /** Returns whether the reply was forwarded. One call. */
    public boolean wasForwarded(String watcher, String key) {
        return table.get(watcher, PREFIX + key)
                .filter(row -> row.values().instant(FORWARDED) != null)
                .isPresent();
    }

    /**
     * Records that nobody knows whether the provider accepted the reply.
     *
     * @return whether this is the first time
     */
    public boolean noteDoubt(String watcher, String key, Instant at) {
        boolean first = table.get(watcher, PREFIX + key).isEmpty();
        if (first) {
            write(watcher, key, "InDoubtAt", at);
        }
        return first;
    }

    public void note(String watcher, String key, Instant at) {
        write(watcher, key, FORWARDED, at);
    }

    private void write(String watcher, String key, String name, Instant at) {
        table.write(watcher, Write.upsert(PREFIX + key, Values.of(name, at)));
    }
}
