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
 * A secret that all processes of an installation share: 256 bits in a row of table {@code work}, made once by the process
 * that comes first. It goes along with a backup and a copy. Anybody who can read the storage can read it. Never shown, never
 * logged. Safe for use from many threads and processes.
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

    /** @param name what the key is for; the row's key. Each purpose has a key of its own */
    public InstallationKey(TableStore tables, String name, IdSource ids, Time time) {
        this.table = new Table(tables, "work");
        this.name = name;
        this.ids = ids;
        this.time = time;
    }

    /**
     * The key; the first calls of a process read it, or make it where there is none. No call waits for another's storage call.
     *
     * @throws StorageException when it is not known yet and the storage is out of reach
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

    /** It opened nothing: perhaps another one is in the storage by now, after a restore. Looks at most once a minute. */
    public void doubt() {
        if (time.elapsed().minus(readElapsed).compareTo(REREAD_INTERVAL) >= 0) {
            known = null;
        }
    }

    private Optional<byte[]> read() {
        return table.get(PARTITION, name).map(row -> row.values().bytes(KEY)).filter(key -> key.length == BYTES);
    }

    /** Whichever insert came first counts; so the row is read again. */
    private byte[] make() {
        table.write(PARTITION, Write.insert(name, Values.of(KEY, ids.bytes(BYTES))));
        return read().orElseThrow(() ->
                new StorageException(StorageException.Reason.CORRUPT, "the key for " + name + " is none", null));
    }
}
