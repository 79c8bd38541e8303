package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Stores each table as a table of the file. Its columns are the two keys, the ETag as a number and the values as bytes.
 */
final class EmbeddedTables implements TableStore {

    /** A page ends once its values exceed this size, in bytes, so a page of large rows is shorter. */
    private static final int MAX_PAGE_BYTES = 4 * 1024 * 1024;

    /** The end of all keys. Keys are printable ASCII, so the empty string sorts before and DEL after all of them. */
    private static final String AFTER_ALL = "\u007f";

    private final Writer writer;
    private final Readers readers;
    private final ExistingNames names;
    private final Map<String, Statements> statements = new ConcurrentHashMap<>();

    EmbeddedTables(Writer writer, Readers readers) {
        this.writer = writer;
        this.readers = readers;
        this.names = ExistingNames.ofTables("table", ExistingNames.TABLES, readers);
    }

    @Override
    public void createTable(String table) {
        if (names.exists(table)) {
            return;
        }
        writer.write("create table " + table, (session, sequence) -> {
            session.execute("CREATE TABLE IF NOT EXISTS " + names.inFile(table)
                    + " (p TEXT, r TEXT, e INTEGER NOT NULL, v BLOB NOT NULL, PRIMARY KEY (p, r)) WITHOUT ROWID");
            return true;
        });
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        String sql = "SELECT e, v FROM " + names.require(table) + " WHERE p = ? AND r = ?";
        return readers.read(
                "get " + table + " " + key,
                session -> session.first(result -> row(key, result, 1), sql, key.partition(), key.row()));
    }

    /** Uses one of two statements, which cover every range. */
    @Override
    public Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation) {
        String sql = "SELECT p, r, e, v FROM " + names.require(table) + " WHERE "
                + (range.single() ? "p = ? AND r >= ? AND r < ?" : "(p, r) >= (?, ?) AND p < ?")
                + " ORDER BY p, r LIMIT ?";
        String[] last = continuation == null ? new String[0] : lastOf(range, continuation);
        String from = continuation == null ? Objects.requireNonNullElse(range.fromPartition(), "") : last[0];
        String fromRow =
                continuation == null ? Objects.requireNonNullElse(range.fromRow(), "") : KeyRange.next(last[1]);
        String end = range.single() ? range.toRow() : range.toPartition();
        String to = Objects.requireNonNullElse(end, AFTER_ALL);
        return readers.read("query " + table + " " + range, session -> {
            try (ResultSet result =
                    session.statement(sql, from, fromRow, to, limit + 1).executeQuery()) {
                return page(result, range.single() ? range.fromPartition() : null, limit);
            }
        });
    }

    /** Returns the partition and row key of the last row of the previous page. */
    private static String[] lastOf(KeyRange range, String continuation) {
        String[] last = continuation.split(" ");
        boolean ours = last.length == 2
                && (range.single()
                        ? last[0].equals(range.fromPartition())
                                && last[1].compareTo(Objects.requireNonNullElse(range.fromRow(), "")) >= 0
                        : last[0].compareTo(Objects.requireNonNullElse(range.fromPartition(), "")) >= 0);
        if (!ours) {
            throw new IllegalArgumentException("not a continuation of this range");
        }
        return last;
    }

    /** @param partition the partition of all rows, or {@code null} to read it with each row */
    private static Page<Row> page(ResultSet result, @Nullable String partition, int limit) throws SQLException {
        List<Row> rows = new ArrayList<>(Math.min(limit, 128));
        long bytes = 0;
        while (result.next()) {
            if (rows.size() == limit || bytes > MAX_PAGE_BYTES) {
                Key last = rows.get(rows.size() - 1).key();
                return new Page<>(rows, last.partition() + " " + last.row());
            }
            byte[] values = result.getBytes(4);
            bytes += values.length;
            Key key = new Key(partition == null ? result.getString(1) : partition, result.getString(2));
            rows.add(new Row(key, Sequence.text(result.getLong(3)), ValueCodec.decode(values)));
        }
        return new Page<>(rows, null);
    }

    private static Row row(Key key, ResultSet result, int column) throws SQLException {
        return new Row(key, Sequence.text(result.getLong(column)), ValueCodec.decode(result.getBytes(column + 1)));
    }

    /** Encodes values on the caller's thread, because every write waits for the writer's thread. */
    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        Statements sql = statements.computeIfAbsent(table, name -> Statements.of(names.require(name)));
        List<byte[]> values =
                writes.stream().map(write -> ValueCodec.encode(write.values())).toList();
        return writer.write("write " + table + " " + partition, (session, sequence) -> {
            List<String> etags = new ArrayList<>(writes.size());
            for (int i = 0; i < writes.size(); i++) {
                Write write = writes.get(i);
                long etag = sequence.next();
                WriteResult result = sql.apply(session, partition, write, etag, values.get(i));
                if (result != null) {
                    return result;
                }
                etags.add(write instanceof Write.Delete ? "" : Sequence.text(etag));
            }
            return new WriteResult.Written(etags);
        });
    }

    private record Statements(
            String insert, String upsert, String replace, String deleteAny, String deleteAtEtag, String exists) {

        static Statements of(String table) {
            String insert = "INSERT INTO " + table + " (p, r, e, v) VALUES (?, ?, ?, ?) ON CONFLICT DO ";
            String where = " WHERE p = ? AND r = ?";
            return new Statements(
                    insert + "NOTHING",
                    insert + "UPDATE SET e = excluded.e, v = excluded.v",
                    "UPDATE " + table + " SET e = ?, v = ?" + where + " AND e = ?",
                    "DELETE FROM " + table + where,
                    "DELETE FROM " + table + where + " AND e = ?",
                    "SELECT 1 FROM " + table + where);
        }

        /** Makes the change and returns {@code null}, or returns the refusal. */
        @Nullable
        WriteResult apply(Session session, String partition, Write write, long etag, byte[] values)
                throws SQLException {
            if (write instanceof Write.Insert) {
                int inserted = session.update(insert, partition, write.rowKey(), etag, values);
                return inserted == 1 ? null : new WriteResult.Exists();
            }
            if (write instanceof Write.Upsert) {
                session.update(upsert, partition, write.rowKey(), etag, values);
                return null;
            }
            int changed = write instanceof Write.Replace change
                    ? session.update(replace, etag, values, partition, change.rowKey(), Sequence.number(change.etag()))
                    : delete(session, partition, (Write.Delete) write);
            if (changed == 1) {
                return null;
            }
            boolean there = session.exists(exists, partition, write.rowKey());
            return there ? new WriteResult.Stale() : new WriteResult.Missing();
        }

        private int delete(Session session, String partition, Write.Delete delete) throws SQLException {
            return delete.etag().equals(Write.ANY)
                    ? session.update(deleteAny, partition, delete.rowKey())
                    : session.update(deleteAtEtag, partition, delete.rowKey(), Sequence.number(delete.etag()));
        }
    }
}
