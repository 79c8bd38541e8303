package org.azuremail.work;

import java.util.List;
import java.util.Optional;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * Items that were given up, with their reasons, until a person restores or deletes them. Nothing expires. They stand in
 * table {@code deadletter}, newest first. Safe for use from many threads and processes; every call may throw a
 * {@link org.azuremail.storage.StorageException} and may be repeated then.
 */
public final class DeadLetters {

    private static final String PARTITION = "deadletter";
    private static final int LONGEST_REASON = 2000;

    private final Table table;
    private final WorkQueues queues;

    /** @param queues where restored items go */
    public DeadLetters(Storage storage, WorkQueues queues) {
        this.table = new Table(storage.tables(), "deadletter");
        this.queues = queues;
    }

    /**
     * A page of dead letters.
     *
     * @param continuation goes into the next call; {@code null} at the end
     */
    public record Page(List<DeadLetter> letters, @Nullable String continuation) {}

    /** Keeps a dead letter; one with the same id stays as it is. */
    public void add(DeadLetter letter) {
        table.write(PARTITION, Write.insert(letter.id(), valuesOf(letter)));
    }

    /** The newest first, at most {@code limit} and at most 1,000; a page may be empty and still continue. */
    public Page page(int limit, @Nullable String continuation) {
        RowPage page = table.query(KeyRange.partition(PARTITION), Math.min(limit, TableStore.MAX_PAGE), continuation);
        return new Page(page.rows().stream().map(DeadLetters::letterOf).toList(), page.continuation());
    }

    public Optional<DeadLetter> find(String id) {
        return table.get(PARTITION, id).map(DeadLetters::letterOf);
    }

    /**
     * Puts the item back on its queue with no failures to its name, and then forgets the dead letter: a crash in between
     * leaves both, and the item may be handled twice.
     *
     * @return false when there is no such dead letter
     */
    public boolean restore(String id) {
        Optional<Row> row = table.get(PARTITION, id);
        row.map(DeadLetters::letterOf).ifPresent(letter -> {
            queues.putText(letter.queue(), letter.text(), java.time.Duration.ZERO);
            table.write(PARTITION, Write.delete(id));
        });
        return row.isPresent();
    }

    /**
     * Forgets a dead letter for good.
     *
     * @return false when there is none of this id (any more)
     */
    public boolean delete(String id) {
        return table.write(PARTITION, Write.delete(id)).written();
    }

    private static Values valuesOf(DeadLetter letter) {
        String text = letter.text();
        int cut = Math.min(text.length(), Values.MAX_STRING_LENGTH);
        String reason = letter.reason();
        return Values.builder()
                .put("Queue", letter.queue())
                .put("Text", text.substring(0, cut))
                .put("TextRest", cut < text.length() ? text.substring(cut) : null)
                .put("Reason", reason.substring(0, Math.min(reason.length(), LONGEST_REASON)))
                .put("At", letter.at())
                .put("Tries", letter.tries())
                .build();
    }

    private static DeadLetter letterOf(Row row) {
        Values values = row.values();
        return new DeadLetter(
                row.rowKey(),
                values.requireString("Queue"),
                values.requireString("Text") + values.string("TextRest", ""),
                values.requireString("Reason"),
                values.requireInstant("At"),
                values.integer("Tries", 0));
    }
}
