package org.azuremail.storage.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.embedded.Writer.Outcome;
import org.azuremail.time.Time;

/** A table of the file for each queue, with an index by the moment from which an item is visible. */
final class EmbeddedQueues implements QueueStore {

    private static final String COLUMNS = "id, text, count, inserted, visible";

    private final Writer writer;
    private final Readers readers;
    private final Time time;
    private final Names names;

    EmbeddedQueues(Writer writer, Readers readers, Time time) {
        this.writer = writer;
        this.readers = readers;
        this.time = time;
        this.names = Names.ofTables("queue", Names.QUEUES, readers);
    }

    @Override
    public void createQueue(String queue) {
        if (names.exists(queue)) {
            return;
        }
        writer.write("create queue " + queue, 0, (session, sequence) -> {
            session.execute("CREATE TABLE IF NOT EXISTS " + names.inFile(queue)
                    + " (id INTEGER PRIMARY KEY, receipt INTEGER NOT NULL, count INTEGER NOT NULL,"
                    + " inserted INTEGER NOT NULL, visible INTEGER NOT NULL, text TEXT NOT NULL)");
            session.execute("CREATE INDEX IF NOT EXISTS " + names.inFile(queue + ".visible") + " ON "
                    + names.inFile(queue) + " (visible)");
            return Outcome.keep(true);
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
        writer.write("send to " + queue, texts.size(), (session, sequence) -> {
            long now = now();
            for (String text : texts) {
                session.update(sql, sequence.next(), now, now + micros(delay), text);
            }
            return Outcome.keep(true);
        });
    }

    @Override
    public List<QueueItem> receive(String queue, int max, Duration visibility) {
        String table = names.require(queue);
        if (!anythingVisible(queue, table)) {
            return List.of();
        }
        return writer.write("receive from " + queue, max, (session, sequence) -> {
            long now = now();
            List<QueueItem> received = new ArrayList<>();
            for (QueueItem item : visible(session, table, now, max)) {
                received.add(deliver(session, table, item, sequence.next(), now + micros(visibility)));
            }
            return Outcome.keep(received);
        });
    }

    /** Asked beside the writer, so that idle consumers cost it nothing. */
    private boolean anythingVisible(String queue, String table) {
        String sql = "SELECT 1 FROM " + table + " WHERE visible <= ? LIMIT 1";
        return readers.read("look at " + queue, session -> session.exists(sql, now()));
    }

    private static QueueItem deliver(Session session, String table, QueueItem item, long receipt, long visible)
            throws SQLException {
        int count = item.dequeueCount() + 1;
        session.update(
                "UPDATE " + table + " SET receipt = ?, count = ?, visible = ? WHERE id = ?",
                receipt,
                count,
                visible,
                Etags.number(item.id()));
        return new QueueItem(
                item.id(), Etags.text(receipt), item.text(), count, item.insertedAt(), ValueCodec.instant(visible));
    }

    @Override
    public Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility) {
        String sql = "UPDATE " + names.require(queue) + " SET receipt = ?, visible = ? WHERE id = ? AND receipt = ?";
        return writer.write("renew in " + queue, 1, (session, sequence) -> {
            long receipt = sequence.next();
            long visible = now() + micros(visibility);
            if (session.update(sql, receipt, visible, Etags.number(item.id()), Etags.number(item.receipt())) == 0) {
                return Outcome.undo(Optional.empty());
            }
            Instant visibleAt = ValueCodec.instant(visible);
            return Outcome.keep(Optional.of(new QueueItem(
                    item.id(), Etags.text(receipt), item.text(), item.dequeueCount(), item.insertedAt(), visibleAt)));
        });
    }

    @Override
    public boolean delete(String queue, QueueItem item) {
        String sql = "DELETE FROM " + names.require(queue) + " WHERE id = ? AND receipt = ?";
        return writer.write(
                "delete from " + queue,
                0,
                (session, sequence) ->
                        Outcome.keep(session.update(sql, Etags.number(item.id()), Etags.number(item.receipt())) == 1));
    }

    @Override
    public List<QueueItem> peek(String queue, int max) {
        String table = names.require(queue);
        return readers.read("peek at " + queue, session -> visible(session, table, now(), max));
    }

    @Override
    public long approximateCount(String queue) {
        String sql = "SELECT count(*) FROM " + names.require(queue);
        return readers.read("count " + queue, session -> session.number(0, sql));
    }

    private static List<QueueItem> visible(Session session, String table, long now, int max) throws SQLException {
        String sql = "SELECT " + COLUMNS + " FROM " + table + " WHERE visible <= ? ORDER BY visible LIMIT ?";
        List<QueueItem> items = new ArrayList<>();
        try (ResultSet result = session.statement(sql, now, max).executeQuery()) {
            while (result.next()) {
                items.add(new QueueItem(
                        Etags.text(result.getLong(1)),
                        "",
                        result.getString(2),
                        result.getInt(3),
                        ValueCodec.instant(result.getLong(4)),
                        ValueCodec.instant(result.getLong(5))));
            }
        }
        return items;
    }

    private long now() {
        return ValueCodec.micros(time.instant());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
