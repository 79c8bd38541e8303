package org.azuremail.route;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** A breaker's row in table {@code work}, as it was read lately. No row means closed. Safe for use from many threads. */
final class BreakerRow {

    private static final String PARTITION = "breaker";

    /** The delay until a process hears of what the others found out. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Table table;
    private final Time time;
    private final String rowKey;
    private volatile @Nullable Seen seen;

    private record Seen(BreakerState state, @Nullable String etag, Duration atElapsed) {}

    BreakerRow(Storage storage, Time time, String transport) {
        this.table = new Table(storage.tables(), "work");
        this.time = time;
        this.rowKey = KeyEscaper.escape(transport);
    }

    /**
     * The state, at most a few seconds old.
     *
     * @throws StorageException when the row is out of reach
     */
    BreakerState lately() {
        return known().state;
    }

    /**
     * The state that the row holds now.
     *
     * @throws StorageException when the row is out of reach
     */
    BreakerState now() {
        return read().state;
    }

    /** The state that was read last, however old it is; closed where this process has read none. */
    BreakerState remembered() {
        Seen known = seen;
        return known == null ? BreakerState.CLOSED : known.state;
    }

    private Seen known() {
        Seen known = seen;
        boolean old = known == null || known.atElapsed.plus(LOOK_AGAIN).compareTo(time.elapsed()) <= 0;
        return known == null || old ? read() : known;
    }

    private Seen read() {
        Optional<Row> row = table.get(PARTITION, rowKey);
        BreakerState state = row.map(found -> BreakerState.of(found.values())).orElse(BreakerState.CLOSED);
        Seen read = new Seen(state, row.map(Row::etag).orElse(null), time.elapsed());
        seen = read;
        return read;
    }

    /**
     * Changes the row, from what is in it.
     *
     * @param change gives back what it was given where nothing is to be changed
     * @return what is in it now
     */
    BreakerState change(UnaryOperator<BreakerState> change) {
        return ConditionalWrites.until("breaker " + rowKey, () -> {
            Seen before = known();
            BreakerState next = change.apply(before.state);
            return next.equals(before.state) || write(before, next) ? Optional.of(next) : Optional.empty();
        });
    }

    /** @return false when somebody else wrote; a lost answer too, which reading again settles */
    private boolean write(Seen before, BreakerState next) {
        Write write = before.etag == null
                ? Write.insert(rowKey, next.values())
                : new Write.Replace(rowKey, next.values(), before.etag);
        if (table.write(PARTITION, write) instanceof WriteResult.Written written) {
            seen = new Seen(next, written.etag(), time.elapsed());
            return true;
        }
        read();
        return false;
    }
}
