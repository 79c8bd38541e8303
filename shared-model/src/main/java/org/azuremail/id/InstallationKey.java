package org.azuremail.id;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * A secret that all processes of an installation share: 256 bits in a row of table {@code work}, created by the first
 * process that needs it. Backups and copies contain it, and every reader of the storage can read it. It is never shown
 * or logged. Safe for use from many threads and processes.
 */
public final class InstallationKey {

    private static final String PARTITION = "secret";
    private static final String KEY = "Key";
    private static final int BYTES = 32;
    private static final Duration REREAD_INTERVAL = Duration.ofMinutes(1);

    private final Table table;
    private final String name;
    private final IdSource ids;
    private final Time time;
    private volatile byte @Nullable [] known;
    private volatile Duration readElapsed = Duration.ZERO;

    /** @param name the purpose and the row key; each purpose has its own key */
    public InstallationKey(TableStore tables, String name, IdSource ids, Time time) {
        this.table = new Table(tables, "work");
        this.name = name;
        this.ids = ids;
        this.time = time;
    }

    /**
     * Returns the key. The first calls in a process read it, or create it if it does not exist. No call waits for
     * another call's storage access.
     *
     * @throws StorageException if the key is not known yet and the storage is out of reach
     */
    public byte[] bytes() {
        byte[] key = known;
        if (key == null) {
            key = read().orElseGet(this::make);
            known = key;
            readElapsed = time.elapsed();
        }
        return key;
    }

    /**
     * Reports that the key failed to open a value, perhaps because a restore replaced the stored key. The next call of
     * {@link #bytes} reads it again, at most once a minute.
     */
    public void refreshIfStale() {
        if (time.elapsed().minus(readElapsed).compareTo(REREAD_INTERVAL) >= 0) {
            known = null;
        }
    }

    private Optional<byte[]> read() {
        return table.get(PARTITION, name).map(row -> row.values().bytes(KEY)).filter(key -> key.length == BYTES);
    }

    /** Inserts a new key and reads the row, because another process may have inserted its key first. */
    private byte[] make() {
        table.write(PARTITION, Write.insert(name, Values.of(KEY, ids.bytes(BYTES))));
        return read().orElseThrow(() ->
                new StorageException(StorageException.Reason.CORRUPT, "the key for " + name + " is none", null));
    }
}
