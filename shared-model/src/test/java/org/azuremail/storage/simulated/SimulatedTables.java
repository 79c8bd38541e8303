package org.azuremail.storage.simulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.simulated.Call.Kind;
import org.jspecify.annotations.Nullable;

/** Rows sorted by "partition row": a space sorts before every character of a key. */
final class SimulatedTables implements TableStore {

    private final SimulatedStorage storage;
    private final Paging paging;
    private final Function<Row, StoredRow> keeping;
    private final Map<String, TreeMap<String, StoredRow>> tables = new HashMap<>();

    SimulatedTables(SimulatedStorage storage, Paging paging, Function<Row, StoredRow> keeping) {
        this.storage = storage;
        this.paging = paging;
        this.keeping = keeping;
    }

    void copyOf(SimulatedTables other) {
        other.tables.forEach((name, rows) -> tables.put(name, new TreeMap<>(rows)));
    }

    Set<String> names() {
        return tables.keySet();
    }

    @Override
    public void createTable(String table) {
        storage.call(
                Kind.CREATE_TABLE, table, "", () -> "", () -> tables.computeIfAbsent(table, name -> new TreeMap<>()));
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return storage.call(Kind.GET, table, key.partition(), key::row, () -> Optional.ofNullable(
                        rows(table).get(sortKey(key)))
                .map(StoredRow::row));
    }

    @Override
    public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
        String partition = range.single() ? String.valueOf(range.fromPartition()) : "";
        return storage.call(Kind.QUERY, table, partition, range::toString, () -> {
            Paging.Page<StoredRow> page = paging.page(within(rows(table), range), limit, continuation);
            return new Page<>(page.entries().stream().map(StoredRow::row).toList(), page.continuation());
        });
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        return storage.call(
                Kind.WRITE, table, partition, () -> describe(writes), () -> apply(rows(table), partition, writes));
    }

    private WriteResult apply(TreeMap<String, StoredRow> rows, String partition, List<Write> writes) {
        for (Write write : writes) {
            WriteResult result = refusal(rows.get(sortKey(new Key(partition, write.rowKey()))), write);
            if (result != null) {
                return result;
            }
        }
        List<String> etags = new ArrayList<>();
        for (Write write : writes) {
            etags.add(applyOne(rows, new Key(partition, write.rowKey()), write));
        }
        return new WriteResult.Written(etags);
    }

    private static @Nullable WriteResult refusal(@Nullable StoredRow row, Write write) {
        if (write instanceof Write.Insert) {
            return row == null ? null : new WriteResult.Exists();
        }
        if (write instanceof Write.Upsert) {
            return null;
        }
        if (row == null) {
            return new WriteResult.Missing();
        }
        String expected = write instanceof Write.Replace replace ? replace.etag() : ((Write.Delete) write).etag();
        boolean any = write instanceof Write.Delete && expected.equals(Write.ANY);
        return any || expected.equals(row.etag()) ? null : new WriteResult.Stale();
    }

    private String applyOne(TreeMap<String, StoredRow> rows, Key key, Write write) {
        if (write instanceof Write.Delete) {
            rows.remove(sortKey(key));
            return "";
        }
        String etag = "s" + storage.nextSequence();
        rows.put(sortKey(key), keeping.apply(new Row(key, etag, values(write))));
        return etag;
    }

    private static Values values(Write write) {
        if (write instanceof Write.Insert insert) {
            return insert.values();
        }
        return write instanceof Write.Replace replace ? replace.values() : ((Write.Upsert) write).values();
    }

    private static NavigableMap<String, StoredRow> within(TreeMap<String, StoredRow> rows, KeyRange range) {
        String from = range.fromPartition() == null ? "" : range.fromPartition() + " ";
        if (range.fromRow() != null) {
            from += range.fromRow();
        }
        String to = "\u007f";
        if (range.single()) {
            to = range.fromPartition() + (range.toRow() == null ? " \u007f" : " " + range.toRow());
        } else if (range.toPartition() != null) {
            to = range.toPartition() + " ";
        }
        return from.compareTo(to) >= 0 ? new TreeMap<>() : rows.subMap(from, true, to, false);
    }

    private TreeMap<String, StoredRow> rows(String table) {
        TreeMap<String, StoredRow> rows = tables.get(table);
        if (rows == null) {
            throw new StorageException(StorageException.Reason.MISSING, "there is no table " + table, null);
        }
        return rows;
    }

    private static String sortKey(Key key) {
        return key.partition() + " " + key.row();
    }

    private static String describe(List<Write> writes) {
        StringBuilder text = new StringBuilder();
        for (Write write : writes) {
            text.append(write.getClass().getSimpleName())
                    .append(' ')
                    .append(write.rowKey())
                    .append(", ");
        }
        return text.substring(0, text.length() - 2);
    }
}
