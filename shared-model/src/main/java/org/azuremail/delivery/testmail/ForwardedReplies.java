package org.azuremail.delivery.testmail;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Row;
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
    private static final String IN_DOUBT = "InDoubtAt";
    private static final String DEFERRED = "DeferredAt";

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
        return noteOnce(watcher, key, IN_DOUBT, at).isEmpty();
    }

    /** Records that the provider does not want the reply yet, and returns when it first said so. */
    public Instant noteDeferral(String watcher, String key, Instant at) {
        return noteOnce(watcher, key, DEFERRED, at).orElse(at);
    }

    /** @return the time that was recorded before */
    private Optional<Instant> noteOnce(String watcher, String key, String name, Instant at) {
        Values known = table.get(watcher, PREFIX + key).map(Row::values).orElse(Values.none());
        Instant before = known.instant(name);
        if (before == null) {
            table.write(watcher, Write.upsert(PREFIX + key, known.with(name, at)));
        }
        return Optional.ofNullable(before);
    }

    public void note(String watcher, String key, Instant at) {
        table.write(watcher, Write.upsert(PREFIX + key, Values.of(FORWARDED, at)));
    }
}
