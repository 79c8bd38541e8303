package org.azuremail.subscription.index;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;

/**
 * The rows {@code .index}/{@code <list>} of the table {@code mailinglist}: one for each list whose fields were ever
 * changed.
 */
record IndexStore(TableStore tables) {

    private static final String PARTITION = ".index";

    /** Returns the state of a list; the ETag is empty if the fields were never changed. */
    Versioned<IndexState> find(ListName list) {
        return tables.get(ListStore.TABLE, PARTITION, list.value())
                .map(row -> new Versioned<>(IndexState.of(row.values()), row.etag()))
                .orElseGet(() -> new Versioned<>(IndexState.NONE, ""));
    }

    void add(ListName list) {
        tables.write(ListStore.TABLE, PARTITION, Write.insert(list.value(), IndexState.NONE.values()));
    }

    /** Returns all rows; their keys are the names of the lists. */
    List<Row> all() {
        return Rows.all(tables, ListStore.TABLE, KeyRange.partition(PARTITION));
    }

    /** @return the state as saved; empty if another process was faster */
    Optional<Versioned<IndexState>> save(ListName list, Versioned<IndexState> read, IndexState next) {
        return read.etag().isEmpty()
                ? Optional.empty()
                : ConditionalWrites.replace(
                                tables, ListStore.TABLE, key(list), next.values(), read.etag(), IndexState::of)
                        .done();
    }

    void change(ListName list, UnaryOperator<IndexState> change) {
        ConditionalWrites.retryIdempotentUntilDone("index of " + list, () -> {
            Versioned<IndexState> read = find(list);
            IndexState next = change.apply(read.value());
            return read.etag().isEmpty()
                    || next.equals(read.value())
                    || save(list, read, next).isPresent();
        });
    }

    static Key key(ListName list) {
        return new Key(PARTITION, list.value());
    }

    /**
     * @param state the state as read before the list was found to be missing, so that the state of a new list with the
     *     same name is kept
     */
    void forget(Row state) {
        tables.write(ListStore.TABLE, PARTITION, Write.delete(state));
    }
}
