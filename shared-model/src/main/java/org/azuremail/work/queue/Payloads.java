package org.azuremail.work.queue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The payloads of items that are too large for a queue. The payload is stored in a blob, and the queue has a pointer to
 * it. The blob is created before its item and deleted after it. Each payload has a row that records whether an item
 * still waits for it, because a queue cannot be asked for this. Without the row, an orphan could not be told from the
 * payload of an item that waits for long. Safe for use from many threads and processes.
 */
public final class Payloads {

    public static final String CONTAINER = "azuremail-overflow";

    /** The prefix of the partitions of the payloads' rows, followed by the queue's name. */
    public static final String PARTITION = "overflow.";

    static final String STATE = "State";
    public static final String AT = "At";

    private static final Logger LOG = LoggerFactory.getLogger(Payloads.class);

    /** States whether an item waits for its payload. */
    public enum State {
        WAITING,
        DONE
    }

    private final Container blobs;
    private final Table table;
    private final IdSource ids;
    private final int overflowOver;

    /** @param overflowOver the most bytes of UTF-8 that are put into the queue itself */
    public Payloads(Storage storage, IdSource ids, int overflowOver) {
        if (overflowOver < 1 || overflowOver > QueueStore.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException("a queue takes 1 to " + QueueStore.MAX_TEXT_BYTES + " bytes");
        }
        this.blobs = new Container(storage.blobs(), CONTAINER);
        this.table = new Table(storage.tables(), "work");
        this.ids = ids;
        this.overflowOver = overflowOver;
    }

    /** Returns the text to put on the queue for an item. A large text is stored in a blob first. */
    public String pack(String queue, String text) {
        String plain = ItemText.plain(text);
        byte[] bytes = plain.length() * 3L <= overflowOver ? new byte[0] : plain.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= overflowOver
                ? plain
                : store(queue, ItemText.Kind.OVERFLOW, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Stores a payload and returns the pointer to put on the queue for it. */
    public String store(String queue, ItemText.Kind kind, byte[] payload) {
        String token = ids.token();
        blobs.put(blob(queue, token), payload, BlobStore.ABSENT);
        return new ItemText.Pointer(kind, token).written();
    }

    /**
     * Records that an item waits for its payload. Does nothing if that is recorded already, or if its work is done. A
     * failure is ignored, because the record is only needed if the item is not delivered within seven days.
     */
    public void markWaiting(String queue, String written) {
        tokenOf(written).ifPresent(token -> {
            try {
                table.write(partition(queue), Write.insert(token, row(State.WAITING, null)));
            } catch (StorageException notNoted) {
                LOG.debug("payload {} of {} is not noted: {}", token, queue, notNoted.toString());
            }
        });
    }

    /** Returns the token of a pointer; empty for an item's own text, and for a text that cannot be read. */
    public static Optional<String> tokenOf(String written) {
        Matcher pointer = ItemText.POINTER.matcher(written);
        return pointer.matches() ? Optional.of(pointer.group(2)) : Optional.empty();
    }

    Optional<byte[]> read(String queue, String token) {
        return blobs.read(blob(queue, token));
    }

    /** Returns whether the work of a payload is done, so that its absence is not a loss. */
    boolean isDone(String queue, String token) {
        return state(queue, token).filter(State.DONE::equals).isPresent();
    }

    public Optional<State> state(String queue, String token) {
        return table.get(partition(queue), token)
                .map(row -> State.valueOf(row.values().requireString(STATE)));
    }

    public BatchProgress progress(String queue, String token) {
        return new BatchProgress(table, partition(queue), token);
    }

    /** Records that no item needs the payload any longer. Call this before the item is deleted. */
    public void markDone(String queue, String token, Instant now) {
        table.write(partition(queue), Write.upsert(token, row(State.DONE, now)));
    }

    /** Deletes a payload. Call this after the item was deleted. */
    public void remove(String queue, String token) {
        blobs.delete(blob(queue, token));
    }

    private static Values row(State state, @Nullable Instant at) {
        return Values.builder().put(STATE, state.name()).put(AT, at).build();
    }

    private static String partition(String queue) {
        return PARTITION + queue;
    }

    private static String blob(String queue, String token) {
        return queue + "/" + token;
    }
}
