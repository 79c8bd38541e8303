package org.azuremail.message;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.azuremail.message.MessageStore.SentPage;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/** Final messages: a row under the date, and the same under {@code .sent}, where the newest date comes first. */
final class MessageArchive {

    private static final String SENT = ".sent";

    private final TableStore tables;

    MessageArchive(TableStore tables) {
        this.tables = tables;
    }

    /**
     * Writes a message that has ended, for as long as it is not archived by somebody else: what stands here then may be newer.
     *
     * @param current whether the message is still where it was read; asked after what stands here was read
     */
    void put(Message message, BooleanSupplier current) {
        put(message.datePartition(), MessageRows.key(message).row(), message, current);
        put(SENT, sentRow(message), message, current);
    }

    private void put(String partition, String rowKey, Message message, BooleanSupplier current) {
        ConditionalWrites.untilDone("message " + message.ref(), () -> {
            Optional<Row> there = tables.get(ARCHIVE, partition, rowKey);
            return !current.getAsBoolean()
                    || tables.write(ARCHIVE, partition, Write.put(there, rowKey, message.toValues()))
                            .written();
        });
    }

    Optional<Message> find(String date, MessageRef ref) {
        return tables.get(ARCHIVE, date, MessageRows.rowKey(ref)).map(row -> Message.from(row.values()));
    }

    /** Corrects the sums of a message, if it is here. Both rows are read before the sums are made. */
    void recount(String date, MessageRef ref, Function<Message, OutcomeCounts> sums) {
        ConditionalWrites.untilDone("message " + ref, () -> find(date, ref)
                .map(message -> recount(date, message, sums))
                .orElse(true));
    }

    private boolean recount(String date, Message read, Function<Message, OutcomeCounts> sums) {
        Optional<Row> sent = tables.get(ARCHIVE, SENT, sentRow(read));
        Optional<Row> archived = tables.get(ARCHIVE, date, MessageRows.rowKey(read.ref()));
        if (archived.isEmpty()) {
            return true;
        }
        Message message = Message.from(archived.get().values());
        Values counted = message.change(c -> c.counts(sums.apply(message))).toValues();
        return tables.write(ARCHIVE, date, Write.replace(archived.get(), counted))
                        .written()
                && sent.map(row -> tables.write(ARCHIVE, SENT, Write.replace(row, counted))
                                .written())
                        .orElse(true);
    }

    SentPage page(int limit, @Nullable String continuation) {
        RowPage page = Rows.first(tables, ARCHIVE, KeyRange.partition(SENT), limit, continuation);
        return new SentPage(
                page.rows().stream().map(row -> Message.from(row.values())).toList(), page.continuation());
    }

    /** Newest first: the later the date, the smaller the key. */
    private static String sentRow(Message message) {
        return String.format(
                "%019d-%s",
                Long.MAX_VALUE - message.scheduledDate().toEpochMilli(),
                message.ref().padded());
    }
}
