package org.azuremail.storage.version;

import java.util.List;
import java.util.Optional;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;

/**
 * The format of the stored data: a number in table {@code work}, partition {@code installation}, the same on every storage.
 * A storage without the row has format 1. Safe for use from many threads and processes; every method may throw a
 * {@link org.azuremail.storage.StorageException}.
 */
public final class StoreVersion {

    private static final String TABLE = "work";
    private static final Key ROW = new Key("installation", "version");
    private static final String VERSION = "Version";
    private static final int WITHOUT_A_ROW = 1;

    private final Storage storage;
    private final List<UpgradeStep> steps;
    private volatile boolean made;

    /** The format of this program. */
    public StoreVersion(Storage storage) {
        this(storage, UpgradeStep.ALL);
    }

    /** @param steps the first leads from format 1 to 2, the next to 3; this program's format is the last one's */
    StoreVersion(Storage storage, List<UpgradeStep> steps) {
        this.storage = storage;
        this.steps = List.copyOf(steps);
    }

    /** The format that this program reads and writes. */
    public int known() {
        return WITHOUT_A_ROW + steps.size();
    }

    /** The format of the stored data; one read. */
    public int stored() {
        return read().map(Versioned::value).orElse(WITHOUT_A_ROW);
    }

    /**
     * Checks that this program may work on the stored data, now or after an upgrade.
     *
     * @throws NewerStoreException when a newer program has upgraded it
     */
    public void requireReadable() {
        requireReadable(stored());
    }

    /**
     * Takes the missing steps one after the other and raises the number after each. When that breaks off, or several
     * processes do it at once, steps are taken again: each can be repeated.
     *
     * @throws NewerStoreException when a newer program has upgraded it
     */
    public void bringUpToDate() {
        Optional<Versioned<Integer>> row = read();
        int version = row.map(Versioned::value).orElse(WITHOUT_A_ROW);
        requireReadable(version);
        while (version < known()) {
            steps.get(version - WITHOUT_A_ROW).run(storage);
            Saved<Integer> saved = write(row, version + 1);
            row = saved.done().or(this::read);
            version = row.map(Versioned::value).orElse(WITHOUT_A_ROW);
            requireReadable(version);
        }
    }

    private void requireReadable(int version) {
        if (version > known()) {
            throw new NewerStoreException(version, known());
        }
    }

    private Optional<Versioned<Integer>> read() {
        return tables().get(TABLE, ROW).map(StoreVersion::of);
    }

    private Saved<Integer> write(Optional<Versioned<Integer>> before, int version) {
        return ConditionalWrites.put(tables(), TABLE, ROW, Values.of(VERSION, version), before, StoreVersion::number);
    }

    /** With the table, which an empty storage does not have yet. */
    private TableStore tables() {
        if (!made) {
            storage.tables().createTable(TABLE);
            made = true;
        }
        return storage.tables();
    }

    private static Versioned<Integer> of(Row row) {
        return new Versioned<>(number(row.values()), row.etag());
    }

    private static int number(Values values) {
        return values.integer(VERSION, WITHOUT_A_ROW);
    }
}
