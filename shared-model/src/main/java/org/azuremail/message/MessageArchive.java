package org.azuremail.message;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * The final messages. Each has a row under its date, and a copy under {@code .sent}, in which the newest date comes
 * first.
 */
record MessageArchive(TableStore tables) {

    private static final String SENT = ".sent";

    /** The partitions of dates, each of which begins with a digit. */
    private static final KeyRange DATES = KeyRange.partitions("0", KeyRange.afterPrefix("9"));

    /**
     * Writes a message that has ended, unless another process has archived it: in that case, the archive may contain a
     * newer version. A greeting without recipients is not listed.
     *
     * @param current whether the message's row is unchanged since it was read; called after the archive was read
     */
    void put(Message message, BooleanSupplier current) {
        put(message.datePartition(), MessageRows.key(message).row(), message, current);
        if (message.audience().occasion() == null || message.result().recipients() > 0) {
            put(SENT, sentRow(message), message, current);
        }
    }

    private void put(String partition, String rowKey, Message message, BooleanSupplier current) {
        ConditionalWrites.retryUntilDone("message " + message.ref(), () -> {
            Optional<Row> existing = tables.get(ARCHIVE, partition, rowKey);
            return !current.getAsBoolean()
                    || tables.write(ARCHIVE, partition, Write.put(existing, rowKey, message.toValues()))
                            .written();
        });
    }

    Optional<Message> find(String date, MessageRef ref) {
        return tables.get(ARCHIVE, date, MessageRows.rowKey(ref)).map(row -> Message.from(row.values()));
    }

    /** Changes an archived message, if it exists. Both rows are read before the change is made. */
    void change(String date, MessageRef ref, UnaryOperator<Message> change) {
        ConditionalWrites.retryUntilDone("message " + ref, () -> find(date, ref)
                .map(message -> change(date, message, change))
                .orElse(true));
    }

    private boolean change(String date, Message read, UnaryOperator<Message> change) {
        Optional<Row> sent = tables.get(ARCHIVE, SENT, sentRow(read));
        Optional<Row> archived = tables.get(ARCHIVE, date, MessageRows.rowKey(read.ref()));
        if (archived.isEmpty()) {
            return true;
        }
        Values changed = change.apply(Message.from(archived.get().values())).toValues();
        return tables.write(ARCHIVE, date, Write.replace(archived.get(), changed))
                        .written()
                && sent.map(row -> tables.write(ARCHIVE, SENT, Write.replace(row, changed))
                                .written())
                        .orElse(true);
    }

    /** Returns messages that were due before an instant, newest first, page by page. */
    Stream<Message> dueBefore(Instant instant) {
        KeyRange older = KeyRange.rows(SENT, sentKey(instant), null);
        return Rows.stream(tables, ARCHIVE, older).map(row -> Message.from(row.values()));
    }

    /** Returns every final message, read page by page. */
    Stream<Message> all() {
        return Rows.stream(tables, ARCHIVE, DATES).map(row -> Message.from(row.values()));
    }

    Page<Message> page(int limit, @Nullable String continuation) {
        return Rows.first(tables, ARCHIVE, KeyRange.partition(SENT), limit, continuation)
                .map(row -> Message.from(row.values()));
    }

    /** Returns a row key that sorts the newest message first: the later the date, the smaller the key. */
    private static String sentRow(Message message) {
        return sentKey(message.scheduledDate()) + "-" + message.ref().padded();
    }

    private static String sentKey(Instant due) {
        return String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - due.toEpochMilli());
    }
}
