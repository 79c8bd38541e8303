package org.azuremail.work.signal;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The secret that the processes share: 256 bits in table {@code work}, made once by whoever comes first. Whoever can read the
 * storage can read it, and could do more with that than send signals. Never shown, never logged.
 */
public final class SignalKey {

    private static final String PARTITION = "secret";
    private static final String ROW = "signals";
    private static final String KEY = "Key";
    private static final int BYTES = 32;
    private static final Duration READ_AGAIN = Duration.ofMinutes(1);

    private final Table table;
    private final IdSource ids;
    private final Time time;
    private byte @Nullable [] known;
    private Duration readElapsed = Duration.ZERO;

    public SignalKey(Storage storage, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.ids = ids;
        this.time = time;
    }

    /** @throws StorageException when it is not known yet and the storage is out of reach */
    synchronized byte[] bytes() {
        byte[] key = known;
        if (key == null) {
            key = read().orElseGet(this::make);
            known = key;
            readElapsed = time.elapsed();
        }
        return key;
    }

    /** It opened nothing: perhaps another one is in the storage by now, after a restore. Looks at most once a minute. */
    synchronized void doubt() {
        if (time.elapsed().minus(readElapsed).compareTo(READ_AGAIN) >= 0) {
            known = null;
        }
    }

    private Optional<byte[]> read() {
        return table.get(PARTITION, ROW).map(row -> row.values().bytes(KEY)).filter(key -> key.length == BYTES);
    }

    /** Whichever insert came first counts; so the row is read again. */
    private byte[] make() {
        table.write(PARTITION, Write.insert(ROW, Values.of(KEY, ids.bytes(BYTES))));
        return read().orElseThrow(
                        () -> new StorageException(StorageException.Reason.CORRUPT, "no key for signals", null));
    }
}
