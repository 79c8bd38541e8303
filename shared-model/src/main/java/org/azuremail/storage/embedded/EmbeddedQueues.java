package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Time;

/** Stores each queue as a table of the file, with an index by the time from which an item is visible. */
final class EmbeddedQueues implements QueueStore {

    private static final String COLUMNS = "id, text, count, inserted, visible";

    private final Writer writer;
    private final Readers readers;
    private final Time time;
    private final ExistingNames names;

    EmbeddedQueues(Writer writer, Readers readers, Time time) {
        this.writer = writer;
        this.readers = readers;
        this.time = time;
        this.names = ExistingNames.ofTables("queue", ExistingNames.QUEUES, readers);
    }

    @Override
    public void createQueue(String queue) {
        if (names.exists(queue)) {
            return;
        }
        writer.write("create queue " + queue, (session, sequence) -> {
            session.execute("CREATE TABLE IF NOT EXISTS " + names.inFile(queue)
                    + " (id INTEGER PRIMARY KEY, receipt INTEGER NOT NULL, count INTEGER NOT NULL,"
                    + " inserted INTEGER NOT NULL, visible INTEGER NOT NULL, text TEXT NOT NULL)");
            session.execute("CREATE INDEX IF NOT EXISTS " + names.inFile(queue + ".visible") + " ON "
                    + names.inFile(queue) + " (visible)");
            return true;
        });
    }

    @Override
    public void send(String queue, String text, Duration delay) {
        insert(queue, List.of(text), delay);
    }

    @Override
    public void sendAll(String queue, List<String> texts) {
        insert(queue, texts, Duration.ZERO);
    }

    private void insert(String queue, List<String> texts, Duration delay) {
        String sql = "INSERT INTO " + names.require(queue)
                + " (id, receipt, count, inserted, visible, text) VALUES (?, 0, 0, ?, ?, ?)";
        writer.write("send to " + queue, (session, sequence) -> {
            long now = microsIn(Duration.ZERO);
            long visible = microsIn(delay);
            for (String text : texts) {
                session.update(sql, sequence.next(), now, visible, text);
            }
            return true;
        });
    }

    /** Checks for visible items with a reader first, so that idle consumers do not burden the writer. */
    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        String table = names.require(queue);
        String any = "SELECT 1 FROM " + table + " WHERE visible <= ? LIMIT 1";
        if (!readers.read("look at " + queue, session -> session.exists(any, microsIn(Duration.ZERO)))) {
            return List.of();
        }
        String sql = "UPDATE " + table + " SET receipt = ?, count = count + 1, visible = ? WHERE id IN"
                + " (SELECT id FROM " + table + " WHERE visible <= ? ORDER BY visible LIMIT ?) RETURNING " + COLUMNS;
        return writer.write("receive from " + queue, (session, sequence) -> {
            long receipt = sequence.next();
            return session.list(
                    result -> item(result, Sequence.text(receipt)),
                    sql,
                    receipt,
                    microsIn(visibility),
                    microsIn(Duration.ZERO),
                    max);
        });
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        String sql = "UPDATE " + names.require(queue)
                + " SET receipt = ?, visible = ? WHERE id = ? AND receipt = ? RETURNING " + COLUMNS;
        return writer.write("renew in " + queue, (session, sequence) -> {
            long receipt = sequence.next();
            return session.first(
                    result -> item(result, Sequence.text(receipt)),
                    sql,
                    receipt,
                    microsIn(visibility),
                    Sequence.number(item.id()),
                    Sequence.number(item.receipt()));
        });
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        String sql = "DELETE FROM " + names.require(queue) + " WHERE id = ? AND receipt = ?";
        return writer.write(
                "delete from " + queue,
                (session, sequence) ->
                        session.update(sql, Sequence.number(item.id()), Sequence.number(item.receipt())) == 1);
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        String sql =
                "SELECT " + COLUMNS + " FROM " + names.require(queue) + " WHERE visible <= ? ORDER BY visible LIMIT ?";
        return readers.read(
                "peek at " + queue,
                session -> session.list(result -> item(result, ""), sql, microsIn(Duration.ZERO), max));
    }

    @Override
    public long approximateCount(String queue) {
        String sql = "SELECT count(*) FROM " + names.require(queue);
        return readers.read("count " + queue, session -> session.number(0, sql));
    }

    private static QueueItem item(ResultSet result, String receipt) throws SQLException {
        return new QueueItem(
                Sequence.text(result.getLong(1)),
                receipt,
                result.getString(2),
                result.getInt(3),
                ValueCodec.instant(result.getLong(4)),
                ValueCodec.instant(result.getLong(5)));
    }

    /** Returns the time after a delay, in microseconds since the epoch. */
    private long microsIn(Duration delay) {
        return ValueCodec.micros(time.instant().plus(delay));
    }
}
