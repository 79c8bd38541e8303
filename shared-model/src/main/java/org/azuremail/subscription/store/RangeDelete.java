package org.azuremail.subscription.store;

import java.util.List;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;

/** Deletes rows of one partition, batch by batch. After an interruption, another call continues. */
public final class RangeDelete {

    private RangeDelete() {}

    /** Deletes every row of the range, including those that are added while it runs. */
    public static void deleteAll(TableStore tables, String table, KeyRange range) {
        for (List<Row> rows = some(tables, table, range); !rows.isEmpty(); rows = some(tables, table, range)) {
            String partition = rows.get(0).key().partition();
            tables.write(
                    table,
                    partition,
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList());
        }
    }

    private static List<Row> some(TableStore tables, String table, KeyRange range) {
        return Rows.first(tables, table, range, TableStore.MAX_BATCH, null).rows();
    }
}
