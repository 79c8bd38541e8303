package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;

/** The tables as one process uses them: the witness sees what it writes. */
record WatchedTables(TableStore real, Baton baton, Witness witness, ManualTime time, Duration offset)
        implements TableStore {

    private static final String RANGE = "!range";

    @Override
    public void createTable(String table) {
        real.createTable(table);
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return real.get(table, key);
    }

    @Override
    public RowPage query(String table, KeyRange range, int limit, @Nullable String continuation) {
        return real.query(table, range, limit, continuation);
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        baton.point(() -> "is about to write " + keys(writes) + " of " + partition);
        baton.mayFreeze(fillsRange(table, writes) ? 8 : 60);
        WriteResult result = baton.atOnce(() -> writeNow(table, partition, writes));
        baton.mayFreeze(60);
        baton.point(() -> "wrote " + keys(writes) + ": " + result.getClass().getSimpleName());
        return result;
    }

    private static boolean fillsRange(String table, List<Write> writes) {
        Write first = writes.get(0);
        return table.equals(MessageStore.MESSAGE)
                && first instanceof Write.Insert
                && first.rowKey().startsWith("email:");
    }

    private WriteResult writeNow(String table, String partition, List<Write> writes) {
        Map<String, Values> before = table.equals(MessageStore.MESSAGE) ? ranges(partition, writes) : Map.of();
        WriteResult result = real.write(table, partition, writes);
        if (result instanceof WriteResult.Written) {
            writes.forEach(write -> witness(table, write, before.get(write.rowKey())));
        }
        return result;
    }

    private Map<String, Values> ranges(String partition, List<Write> writes) {
        return writes.stream()
                .filter(write -> write.rowKey().startsWith(RANGE))
                .flatMap(write -> real.get(MessageStore.MESSAGE, partition, write.rowKey()).stream())
                .collect(Collectors.toMap(Row::rowKey, Row::values));
    }

    private void witness(String table, Write write, @Nullable Values before) {
        if (table.equals(MessageStore.MESSAGE) && write.rowKey().startsWith(RANGE)) {
            baton.wrote();
            witness.rangeWritten(before, values(write), time.instant(), offset);
        } else if (table.equals(MessageStore.ARCHIVE) && write.rowKey().startsWith("email:")) {
            String outcome = values(write).string("Outcome", "");
            baton.note("records " + outcome + " of " + write.rowKey());
            if (outcome.equals(Outcome.UNKNOWN.stored())) {
                witness.recordsUnknown(write.rowKey());
            }
        }
    }

    private static Values values(Write write) {
        if (write instanceof Write.Insert insert) {
            return insert.values();
        }
        if (write instanceof Write.Replace replace) {
            return replace.values();
        }
        return write instanceof Write.Upsert upsert
                ? upsert.values()
                : Values.builder().build();
    }

    private static String keys(List<Write> writes) {
        return writes.stream().map(Write::rowKey).collect(Collectors.joining(" "));
    }
}
