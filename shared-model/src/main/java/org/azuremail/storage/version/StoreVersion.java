package org.azuremail.storage.version;

import java.util.List;
import java.util.Optional;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * The format of the stored data, as a number in table {@code work}, partition {@code installation}, on every kind of
 * storage. A storage without the row has format 1. Safe for use by many threads and processes. Every method may throw a
 * {@link org.azuremail.storage.StorageException}.
 */
public final class StoreVersion {

    private static final String PARTITION = "installation";
    private static final String ROW = "version";
    private static final String VERSION = "Version";
    private static final int WITHOUT_A_ROW = 1;

    private final Storage storage;
    private final Table work;
    private final List<UpgradeStep> steps;

    public StoreVersion(Storage storage) {
        this(storage, UpgradeStep.ALL);
    }

    /**
     * @param steps the step from format 1 to 2, the step from 2 to 3, and so on; the last one leads to this program's
     *     format
     */
    StoreVersion(Storage storage, List<UpgradeStep> steps) {
        this.storage = storage;
        this.work = new Table(storage.tables(), "work");
        this.steps = List.copyOf(steps);
    }

    /** Returns the format that this program reads and writes. */
    public int known() {
        return WITHOUT_A_ROW + steps.size();
    }

    /** Returns the format of the stored data, with one read. */
    public int stored() {
        return version(work.get(PARTITION, ROW));
    }

    private static int version(Optional<Row> row) {
        return row.map(Row::values).orElse(Values.none()).integer(VERSION, WITHOUT_A_ROW);
    }

    /**
     * Checks that this program may work on the stored data, as it is or after an upgrade.
     *
     * @throws NewerStoreException if a newer program has upgraded it
     */
    public void requireReadable() {
        requireReadable(stored());
    }

    private int requireReadable(int version) {
        if (version > known()) {
            throw new NewerStoreException(version, known());
        }
        return version;
    }

    /**
     * Runs the missing steps in order and raises the format after each. If this is interrupted, or several processes do
     * it at once, steps run again, because each step can be repeated.
     *
     * @throws NewerStoreException if a newer program has upgraded the stored data
     */
    public void upgrade() {
        Optional<Row> row = work.get(PARTITION, ROW);
        int version = requireReadable(version(row));
        while (version < known()) {
            steps.get(version - WITHOUT_A_ROW).run(storage);
            // A refused write means that another process has raised the number.
            work.write(PARTITION, Write.put(row, ROW, Values.of(VERSION, version + 1)));
            row = work.get(PARTITION, ROW);
            version = requireReadable(version(row));
        }
    }
}
