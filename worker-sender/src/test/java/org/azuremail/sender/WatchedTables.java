package org.azuremail.sender;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.sender.Baton.FreezePoint;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.ManualTime;
import org.jspecify.annotations.Nullable;

/** The tables as one process uses them. The witness sees all writes. */
record WatchedTables(TableStore real, Baton baton, Witness witness, ManualTime time) implements TableStore {

    private static final String RANGE = "!range";
    private static final String EMAIL = "email:";
    private static final String MESSAGE_ROW = "message";

    @Override
    public void createTable(String table) {
        real.createTable(table);
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return real.get(table, key);
    }

    @Override
    public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
        return real.query(table, range, limit, continuation);
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        FreezePoint point = freezePoint(table, partition, writes);
        baton.point(() -> "is about to write " + keys(writes) + " of " + partition);
        baton.mayFreeze(point);
        WriteResult result = baton.atOnce(() -> writeNow(table, partition, writes));
        baton.mayFreeze(point);
        baton.point(() -> "wrote " + keys(writes) + ": " + result.getClass().getSimpleName());
        return result;
    }

    private static FreezePoint freezePoint(String table, String partition, List<Write> writes) {
        Write first = writes.get(0);
        boolean aboutRecipients = first.rowKey().startsWith(EMAIL);
        if (table.equals(MessageStore.ARCHIVE)) {
            return aboutRecipients ? FreezePoint.RECORD : FreezePoint.MESSAGE;
        }
        if (!table.equals(MessageStore.MESSAGE)) {
            return FreezePoint.OTHER;
        }
        if (!partition.startsWith("mail.")) {
            return values(first).string("Reopening", "").isEmpty() ? FreezePoint.MESSAGE : FreezePoint.REOPENING;
        }
        if (aboutRecipients && first instanceof Write.Insert) {
            return values(first).integer("Generation", 0) == 0 ? FreezePoint.FAN_OUT : FreezePoint.REOPENING;
        }
        return aboutRecipients ? FreezePoint.CLEAR : FreezePoint.CONTROL;
    }

    private WriteResult writeNow(String table, String partition, List<Write> writes) {
        Map<String, Values> before = before(table, partition, writes);
        WriteResult result = real.write(table, partition, writes);
        if (result instanceof WriteResult.Written) {
            writes.forEach(write -> witness(table, partition, write, before.get(write.rowKey())));
        }
        return result;
    }

    /** Returns the current control rows and message rows that are about to be written. */
    private Map<String, Values> before(String table, String partition, List<Write> writes) {
        return writes.stream()
                .filter(write ->
                        write.rowKey().startsWith(RANGE) || write.rowKey().startsWith(MESSAGE_ROW))
                .flatMap(write -> real.get(table, partition, write.rowKey()).stream())
                .collect(Collectors.toMap(Row::rowKey, Row::values));
    }

    private void witness(String table, String partition, Write write, @Nullable Values before) {
        Values after = values(write);
        if (write.rowKey().startsWith(RANGE)) {
            witness.rangeWritten(partition + " " + write.rowKey(), before, after, time.elapsed());
        } else if (write.rowKey().startsWith(MESSAGE_ROW) && !(write instanceof Write.Delete)) {
            witness.messageWritten(table, before, after);
        } else if (table.equals(MessageStore.ARCHIVE) && write.rowKey().startsWith(EMAIL)) {
            String outcome = after.string("Outcome", "");
            baton.note("records " + outcome + " of " + write.rowKey());
            if (outcome.equals(Outcome.UNKNOWN.stored())) {
                witness.recordsUnknown(write.rowKey(), after.integer("Generation", 0));
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
