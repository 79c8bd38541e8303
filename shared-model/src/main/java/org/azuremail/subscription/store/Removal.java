package org.azuremail.subscription.store;

import java.util.List;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;

/** Removes rows of one partition, batch by batch; whoever repeats it goes on where it stopped. */
public final class Removal {

    private Removal() {}

    /**
     * Removes every row of the range that is there while it runs.
     *
     * @return false when there was none
     */
    public static boolean all(TableStore tables, String table, KeyRange range, String partition) {
        boolean any = false;
        while (some(tables, table, range, partition)) {
            any = true;
        }
        return any;
    }

    /** @return false when there was none left */
    private static boolean some(TableStore tables, String table, KeyRange range, String partition) {
        List<Write> writes = Rows.first(tables, table, range, TableStore.MAX_BATCH, null).rows().stream()
                .map(Row::rowKey)
                .map(Write::delete)
                .toList();
        if (!writes.isEmpty()) {
            tables.write(table, partition, writes);
        }
        return !writes.isEmpty();
    }
}
