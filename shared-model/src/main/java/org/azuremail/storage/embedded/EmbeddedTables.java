package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.storage.embedded.Writer.Outcome;
import org.jspecify.annotations.Nullable;

/** A table of the file for each table: the two keys, the ETag as a number, the values as bytes. */
final class EmbeddedTables implements TableStore {

    /** A page of large rows ends earlier than one of small rows. */
    private static final int MAX_PAGE_BYTES = 4 * 1024 * 1024;

    private final Writer writer;
    private final Readers readers;
    private final Names names;
    private final Map<String, TableWriter> tableWriters = new ConcurrentHashMap<>();

    EmbeddedTables(Writer writer, Readers readers) {
        this.writer = writer;
        this.readers = readers;
        this.names = Names.ofTables("table", Names.TABLES, readers);
    }

    @Override
    public void createTable(String table) {
        if (names.exists(table)) {
            return;
        }
        writer.write("create table " + table, 0, (session, sequence) -> {
            session.execute("CREATE TABLE IF NOT EXISTS " + names.inFile(table)
                    + " (p TEXT, r TEXT, e INTEGER NOT NULL, v BLOB NOT NULL, PRIMARY KEY (p, r)) WITHOUT ROWID");
            return Outcome.keep(true);
        });
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        String sql = "SELECT e, v FROM " + required(table) + " WHERE p = ? AND r = ?";
        return readers.read("get " + table + " " + key, session -> {
            try (ResultSet result =
                    session.statement(sql, key.partition(), key.row()).executeQuery()) {
                return result.next() ? Optional.of(row(key, result, 1)) : Optional.empty();
            }
        });
    }

    @Override
    public RowPage query(String table, KeyRange range, int limit, @Nullable String continuation) {
        TableQuery query = TableQuery.of(required(table), range, continuation);
        return readers.read("query " + table + " " + range, session -> {
            try (ResultSet result =
                    session.statement(query.sql(), query.arguments(limit + 1)).executeQuery()) {
                return page(result, range.single() ? range.fromPartition() : null, limit);
            }
        });
    }

    /** @param partition the only one, where there is no more: it need not be read with each row */
    private static RowPage page(ResultSet result, @Nullable String partition, int limit) throws SQLException {
        List<Row> rows = new ArrayList<>(Math.min(limit, 128));
        long bytes = 0;
        while (result.next()) {
            if (rows.size() == limit || bytes > MAX_PAGE_BYTES) {
                return new RowPage(rows, TableQuery.continuation(rows.get(rows.size() - 1)));
            }
            byte[] values = result.getBytes(4);
            bytes += values.length;
            Key key = new Key(partition == null ? result.getString(1) : partition, result.getString(2));
            rows.add(new Row(key, Etags.text(result.getLong(3)), ValueCodec.decode(values)));
        }
        return new RowPage(rows, null);
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        TableWriter statements = tableWriters.computeIfAbsent(table, name -> TableWriter.of(names.require(name)));
        List<byte[]> values = writes.stream().map(EmbeddedTables::encoded).toList();
        return writer.write("write " + table + " " + partition, writes.size(), (session, sequence) -> {
            List<String> etags = new ArrayList<>(writes.size());
            for (int i = 0; i < writes.size(); i++) {
                long etag = sequence.next();
                WriteResult refusal = statements.apply(session, partition, writes.get(i), etag, values.get(i));
                if (refusal != null) {
                    return Outcome.undo(refusal);
                }
                etags.add(writes.get(i) instanceof Write.Delete ? "" : Etags.text(etag));
            }
            return Outcome.keep(new WriteResult.Written(etags));
        });
    }

    /** Encoded on the caller's thread: the writer's is the one that everybody waits for. */
    private static byte[] encoded(Write write) {
        if (write instanceof Write.Insert insert) {
            return ValueCodec.encode(insert.values());
        }
        if (write instanceof Write.Replace replace) {
            return ValueCodec.encode(replace.values());
        }
        return ValueCodec.encode(write instanceof Write.Upsert upsert ? upsert.values() : Values.none());
    }

    private String required(String table) {
        return names.require(table);
    }

    private static Row row(Key key, ResultSet result, int column) throws SQLException {
        return new Row(key, Etags.text(result.getLong(column)), ValueCodec.decode(result.getBytes(column + 1)));
    }
}
