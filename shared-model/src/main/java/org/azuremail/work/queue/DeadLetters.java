package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Container;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * Items that were given up, with their reasons, until an admin restores or deletes them. They never expire. They are in
 * table {@code deadletter}, newest first. A text that is too large for a row is in a blob, which is created before its
 * row and deleted after it. Safe for use from many threads and processes. Every call may throw a {@link
 * org.azuremail.storage.StorageException} and may then be repeated.
 */
public final class DeadLetters {

    /**
     * The container of the texts that are too large for a row. The blobs are named by the ids of their dead letters.
     */
    public static final String PAYLOADS = "azuremail-dead-letters";

    private static final String TABLE = "deadletter";
    private static final String PARTITION = "deadletter";

    /** Matches valid keys: printable ASCII except the four characters that keys may not contain. */
    private static final Pattern IDS = Pattern.compile("[!-~&&[^/\\\\#?]]{1,512}");

    private static final String LARGE = "Bytes";
    private static final int MAX_REASON_LENGTH = 2000;
    private static final int LARGEST_IN_ROW = 48 * 1024;
    private static final int SHOWN = 1000;

    private final Table table;
    private final Container payloads;
    private final WorkQueues queues;

    /** @param queues the queues to which restored items return */
    public DeadLetters(Storage storage, WorkQueues queues) {
        this.payloads = new Container(storage.blobs(), PAYLOADS);
        this.table = new Table(storage.tables(), TABLE);
        this.queues = queues;
    }

    /** Stores a dead letter. An existing one with the same id is left as it is. */
    public void add(DeadLetter letter) {
        if (isLarge(letter.text())) {
            payloads.put(letter.id(), letter.text());
        }
        table.write(PARTITION, Write.insert(letter.id(), valuesOf(letter)));
        queues.needAttention();
    }

    /**
     * Returns a page of dead letters, newest first, of at most {@code limit} and at most 1,000. A page may be empty
     * although more pages follow.
     */
    public Page<DeadLetter> page(int limit, @Nullable String continuation) {
        return table.query(KeyRange.partition(PARTITION), Math.min(limit, TableStore.MAX_PAGE), continuation)
                .map(DeadLetters::letterOf);
    }

    /** Returns the number of dead letters, or the limit if there are more. */
    public int count(int limit) {
        return table.first(KeyRange.partition(PARTITION), limit, null).items().size();
    }

    public Optional<DeadLetter> find(String id) {
        return row(id).map(DeadLetters::letterOf);
    }

    /** Returns the item's whole text, however large. */
    public Optional<String> text(String id) {
        return row(id).map(this::textOf);
    }

    /**
     * Puts the item back on a queue without its earlier failures, and then deletes the dead letter. A crash in between
     * leaves both, and the item may be handled twice.
     *
     * @param servedBy returns the queue that the item is put on, given the queue from which it came; usually the same
     *     one
     * @return false if there is no such dead letter
     */
    public boolean restore(String id, UnaryOperator<String> servedBy) {
        Optional<Row> row = row(id);
        row.ifPresent(found -> {
            queues.putText(servedBy.apply(letterOf(found).queue()), textOf(found), Duration.ZERO);
            remove(found);
        });
        return row.isPresent();
    }

    /**
     * Deletes a dead letter permanently.
     *
     * @return false if there is no dead letter with this id
     */
    public boolean delete(String id) {
        return row(id).filter(this::remove).isPresent();
    }

    /** Returns the row of an id. Ids come from URLs, so an id that is not a valid key is treated as unknown. */
    private Optional<Row> row(String id) {
        return IDS.matcher(id).matches() ? table.get(PARTITION, id) : Optional.empty();
    }

    private boolean remove(Row row) {
        boolean removed = table.write(PARTITION, Write.delete(row.rowKey())).written();
        if (isLarge(row)) {
            payloads.delete(row.rowKey());
        }
        return removed;
    }

    public WorkQueues queues() {
        return queues;
    }

    private String textOf(Row row) {
        return isLarge(row) ? payload(row.rowKey()) : letterOf(row).text();
    }

    private String payload(String id) {
        return payloads.text(id)
                .orElseThrow(() -> new StorageException(
                        StorageException.Reason.CORRUPT, "the payload of dead letter " + id + " is gone", null));
    }

    private static boolean isLarge(Row row) {
        return row.values().number(LARGE, 0) > 0;
    }

    private static boolean isLarge(String text) {
        return text.length() > LARGEST_IN_ROW;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the row's values. They contain the text, or the beginning of a large text. */
    private static Values valuesOf(DeadLetter letter) {
        String whole = letter.text();
        String text = isLarge(whole) ? Reason.truncate(whole, SHOWN) + "… (" + bytes(whole) + " bytes)" : whole;
        String begin = Reason.truncate(text, Values.MAX_STRING_LENGTH);
        return Values.builder()
                .put("Queue", letter.queue())
                .put("Text", begin)
                .put("TextRest", begin.length() < text.length() ? text.substring(begin.length()) : null)
                .put(LARGE, isLarge(whole) ? bytes(whole) : null)
                .put("Reason", Reason.truncate(letter.reason().stored(), MAX_REASON_LENGTH))
                .put("At", letter.at())
                .put("FailureCounts", letter.tries())
                .build();
    }

    private static DeadLetter letterOf(Row row) {
        Values values = row.values();
        return new DeadLetter(
                row.rowKey(),
                values.requireString("Queue"),
                values.requireString("Text") + values.string("TextRest", ""),
                Reason.read(values.requireString("Reason")),
                values.requireInstant("At"),
                values.integer("FailureCounts", 0));
    }
}
