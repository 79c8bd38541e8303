package org.azuremail.list;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;

/**
 * Mailing lists in the table {@code mailinglist}: the row {@code <list>}/{@code mailinglist} is the list, and the row
 * {@code .lists}/{@code <list>} is a copy, so that all lists can be read from one partition.
 *
 * <p>The two cannot change in one batch. Every change first marks the copy <em>in doubt</em>, then writes the list
 * under its ETag, and finally replaces the copy unless another change has marked it meanwhile. Where a copy is in
 * doubt, readers of the copies read the list itself. So a crash between two steps costs a point read and shows nothing
 * wrong. Safe for use from many threads and processes.
 */
public record ListStore(TableStore tables) {

    public static final String TABLE = "mailinglist";

    private static final String IN_DOUBT = "InDoubt";

    /** Returns the list as it is at present, even while it is being deleted. */
    public Optional<Versioned<MailingList>> find(ListName name) {
        return tables.get(TABLE, name.value(), ListRow.KEY).map(row -> ListRow.list(name, row));
    }

    /** Returns the list without its version, even while it is being deleted. */
    public Optional<MailingList> findValue(ListName name) {
        return find(name).map(Versioned::value);
    }

    /** Returns the list, unless it is missing or being deleted. */
    public Optional<MailingList> findActive(ListName name) {
        return findValue(name).filter(list -> !list.deleting());
    }

    /**
     * Returns whether a list that was read before still exists and is not being deleted. A new list with the same name
     * does not count.
     */
    public boolean isStillThere(MailingList read) {
        return findActive(read.name())
                .filter(now -> now.createdAt().equals(read.createdAt()))
                .isPresent();
    }

    /** Returns all lists by name, except for those being deleted. */
    public List<MailingList> active() {
        return all().stream().filter(list -> !list.deleting()).toList();
    }

    /** Returns all lists by name, including those being deleted. */
    public List<MailingList> all() {
        return Rows.all(tables, TABLE, KeyRange.partition(ListRow.INDEX_PARTITION)).stream()
                .map(this::fromIndex)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Creates a list; {@code Conflict} if a list with this name exists or is still being deleted. */
    public Saved<MailingList> create(MailingList list) {
        Optional<Versioned<MailingList>> taken = find(list.name());
        return taken.isPresent() ? new Saved.Conflict<>(taken.get()) : save(list, taken);
    }

    /**
     * Saves a list that was read with this ETag. Name, shard count and time of creation never change.
     *
     * @throws IllegalArgumentException if the shard count differs from the stored one
     */
    public Saved<MailingList> update(MailingList list, String etag) {
        Optional<Versioned<MailingList>> current = find(list.name());
        if (current.isEmpty()) {
            return new Saved.Missing<>();
        }
        if (current.get().value().shards() != list.shards()) {
            throw new IllegalArgumentException("the shard count of a list is fixed at its creation");
        }
        return current.get().etag().equals(etag) ? save(list, current) : new Saved.Conflict<>(current.get());
    }

    /** Marks the list for deletion; repeating this changes nothing. */
    public Saved<MailingList> markDeleting(ListName name) {
        return change(name, MailingList::markedDeleting);
    }

    /**
     * Adds names to the list's attributes.
     *
     * @throws IllegalArgumentException if the list would have too many
     */
    public Saved<MailingList> addAttributes(ListName name, SortedSet<String> names) {
        return change(name, list -> {
            SortedSet<String> all = new TreeSet<>(list.attributes());
            all.addAll(names);
            return list.withAttributes(all);
        });
    }

    /** @param due asked after the list was read; if it returns false, the attribute stays */
    public Saved<MailingList> removeAttribute(ListName name, String attribute, BooleanSupplier due) {
        return change(name, list -> {
            if (!due.getAsBoolean()) {
                return list;
            }
            SortedSet<String> others = new TreeSet<>(list.attributes());
            others.remove(attribute);
            return list.withAttributes(others);
        });
    }

    /** Returns whether a list has this name and is being deleted. */
    public boolean isDeleting(ListName name) {
        return findValue(name).filter(MailingList::deleting).isPresent();
    }

    /** Removes the list's row and, last, its name. Its subscribers must have been removed before. */
    public void remove(ListName name) {
        String mark = markIndex(name);
        tables.get(TABLE, name.value(), ListRow.KEY)
                .filter(row -> ListRow.list(name, row).value().deleting())
                .ifPresent(row -> tables.write(TABLE, name.value(), Write.delete(row)));
        if (find(name).isEmpty()) {
            tables.write(TABLE, ListRow.INDEX_PARTITION, new Write.Delete(name.value(), mark));
        }
    }

    private Saved<MailingList> change(ListName name, UnaryOperator<MailingList> change) {
        return ConditionalWrites.retry("list " + name, () -> {
            Optional<Versioned<MailingList>> current = find(name);
            if (current.isEmpty()) {
                return Optional.of(new Saved.Missing<>());
            }
            MailingList changed = change.apply(current.get().value());
            if (changed.equals(current.get().value())) {
                return Optional.of(new Saved.Done<>(current.get(), false));
            }
            Saved<MailingList> saved = update(changed, current.get().etag());
            return saved instanceof Saved.Conflict ? Optional.empty() : Optional.of(saved);
        });
    }

    private Saved<MailingList> save(MailingList list, Optional<Versioned<MailingList>> before) {
        ListName name = list.name();
        Values values = ListRow.values(list);
        String mark = markIndex(name);
        Saved<MailingList> saved = ConditionalWrites.put(
                tables, TABLE, new Key(name.value(), ListRow.KEY), values, before, read -> ListRow.list(name, read));
        if (saved.done().isPresent()) {
            // If this is refused, another process has marked the copy since, and replaces it itself.
            tables.write(TABLE, ListRow.INDEX_PARTITION, new Write.Replace(name.value(), values, mark));
        }
        return saved;
    }

    private Optional<MailingList> fromIndex(Row row) {
        ListName name = new ListName(row.rowKey());
        return row.values().bool(IN_DOUBT, false) ? findValue(name) : Optional.of(ListRow.list(name, row.values()));
    }

    private String markIndex(ListName name) {
        WriteResult result =
                tables.write(TABLE, ListRow.INDEX_PARTITION, Write.upsert(name.value(), Values.of(IN_DOUBT, true)));
        if (result instanceof WriteResult.Written written) {
            return written.etag();
        }
        throw new StorageException(StorageException.Reason.UNKNOWN, "index row of list " + name + ": " + result, null);
    }
}
