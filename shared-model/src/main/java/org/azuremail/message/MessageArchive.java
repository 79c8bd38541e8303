package org.azuremail.message;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.util.Optional;
import java.util.function.Function;
import org.azuremail.message.MessageStore.SentPage;
import org.azuremail.storage.KeyRange;
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

    void put(Message message) {
        Values values = message.toValues();
        tables.write(
                ARCHIVE,
                message.datePartition(),
                Write.upsert(MessageStore.key(message).row(), values));
        tables.write(ARCHIVE, SENT, Write.upsert(sentRow(message), values));
    }

    Optional<Message> find(String date, MessageRef ref) {
        return tables.get(ARCHIVE, date, MessageStore.rowKey(ref)).map(row -> Message.from(row.values()));
    }

    /** Corrects the sums of a message, if it is here and does not change meanwhile. */
    void recount(String date, MessageRef ref, Function<Message, OutcomeCounts> sums) {
        tables.get(ARCHIVE, date, MessageStore.rowKey(ref)).ifPresent(row -> {
            Message message = Message.from(row.values());
            Values counted = message.change(c -> c.counts(sums.apply(message))).toValues();
            if (tables.write(ARCHIVE, date, Write.replace(row, counted)).written()) {
                tables.write(ARCHIVE, SENT, Write.upsert(sentRow(message), counted));
            }
        });
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
