package org.azuremail.storage;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The standard way to change rows that other threads and processes may change at the same time. A round reads rows,
 * decides, and writes them under the ETags that it read. If the write is refused, another round starts with a new read.
 * After {@link #MAX_ROUNDS} rounds, a {@link StorageException} reports that other writers keep changing the row. Its
 * reason is THROTTLED, because a later attempt may succeed.
 *
 * <p>If the answer to a write is lost, the write may or may not have taken effect. {@link #retry} then rethrows the
 * exception, and a caller further up repeats the whole operation. {@link #retryIdempotent} is for rounds that recognise
 * their own write when they read again, by a nonce or by its result, and for rounds that do no harm when they are
 * repeated. It follows a lost answer with one more round and throws only if that round fails, too. An unreachable
 * storage therefore costs two calls and not two hundred.
 */
public final class ConditionalWrites {

    /** The most rounds: more than the writers that compete for one row, of which one succeeds in each round. */
    static final int MAX_ROUNDS = 200;

    private ConditionalWrites() {}

    /**
     * Repeats a round until it returns a result.
     *
     * @param what the changed thing, for the exception's message, such as <em>list news</em>
     * @param round returns empty if its write was refused
     */
    public static <T> T retry(String what, Supplier<Optional<T>> round) {
        return retry(what, false, round);
    }

    /** Does the same as {@link #retry}, for a round that returns only whether it is done. */
    public static void retryUntilDone(String what, BooleanSupplier round) {
        retry(what, false, () -> done(round));
    }

    /** Does the same as {@link #retry}, for a round that recognises its own write after a lost answer. */
    public static <T> T retryIdempotent(String what, Supplier<Optional<T>> round) {
        return retry(what, true, round);
    }

    /** Does the same as {@link #retryUntilDone}, for a round that recognises its own write after a lost answer. */
    public static void retryIdempotentUntilDone(String what, BooleanSupplier round) {
        retry(what, true, () -> done(round));
    }

    private static Optional<Boolean> done(BooleanSupplier round) {
        return round.getAsBoolean() ? Optional.of(true) : Optional.empty();
    }

    private static <T> T retry(String what, boolean idempotent, Supplier<Optional<T>> round) {
        boolean lost = false;
        for (int rounds = 0; rounds < MAX_ROUNDS; rounds++) {
            try {
                Optional<T> result = round.get();
                if (result.isPresent()) {
                    return result.get();
                }
                lost = false;
            } catch (StorageException perhapsWritten) {
                if (lost || !idempotent) {
                    throw perhapsWritten;
                }
                lost = true;
            }
        }
        throw new StorageException(StorageException.Reason.THROTTLED, what + " keeps changing", null);
    }

    /**
     * Returns the answer to a write that took effect; empty if it was refused or its answer was lost. After a lost
     * answer, only a read shows whether it took effect.
     */
    public static Optional<WriteResult.Written> attempt(Supplier<WriteResult> write) {
        try {
            return write.get() instanceof WriteResult.Written written ? Optional.of(written) : Optional.empty();
        } catch (StorageException lost) {
            return Optional.empty();
        }
    }

    /** Replaces a row if it still has the given ETag. */
    public static <T> Saved<T> replace(
            TableStore tables, String table, Key key, Values values, String etag, Function<Values, T> reader) {
        WriteResult result = tables.write(table, key.partition(), new Write.Replace(key.row(), values, etag));
        return decide(tables, table, key, values, result, reader);
    }

    /** Inserts a row. An existing row with other values is a conflict. */
    public static <T> Saved<T> insert(
            TableStore tables, String table, Key key, Values values, Function<Values, T> reader) {
        WriteResult result = tables.write(table, key.partition(), Write.insert(key.row(), values));
        return decide(tables, table, key, values, result, reader);
    }

    /** Replaces a row at the ETag that was read, or inserts it if none was found. */
    public static <T> Saved<T> put(
            TableStore tables,
            String table,
            Key key,
            Values values,
            Optional<Versioned<T>> before,
            Function<Values, T> reader) {
        return before.map(read -> replace(tables, table, key, values, read.etag(), reader))
                .orElseGet(() -> insert(tables, table, key, values, reader));
    }

    private static <T> Saved<T> decide(
            TableStore tables, String table, Key key, Values values, WriteResult result, Function<Values, T> reader) {
        if (result instanceof WriteResult.Written written) {
            return new Saved.Done<>(new Versioned<>(reader.apply(values), written.etag()), true);
        }
        Optional<Row> current = tables.get(table, key);
        if (current.isEmpty()) {
            return new Saved.Missing<>();
        }
        Versioned<T> now = new Versioned<>(
                reader.apply(current.get().values()), current.get().etag());
        return current.get().values().equals(values) ? new Saved.Done<>(now, false) : new Saved.Conflict<>(now);
    }
}
