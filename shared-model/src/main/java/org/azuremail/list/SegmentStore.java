package org.azuremail.list;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;

/**
 * The segments of lists, as rows {@code <list>}/{@code <segment>} of the table {@code segment}. Every change is written under
 * the ETag that was read. Safe for use from many threads and processes.
 */
public record SegmentStore(TableStore tables) {

    public static final String TABLE = "segment";

    /** The partition of counts of people; their keys begin with the list's name and a dot. */
    public static final String COUNTS = ".counts";

    /** A list's segments are read at once. */
    public static final int MOST = 200;

    public SegmentStore {
        tables.createTable(TABLE);
    }

    public List<Versioned<Segment>> all(ListName list) {
        return Rows.all(tables, TABLE, KeyRange.partition(list.value())).stream()
                .map(row -> new Versioned<>(Segment.from(list, row.rowKey(), row.values()), row.etag()))
                .toList();
    }

    public Optional<Versioned<Segment>> find(ListName list, SegmentName name) {
        return tables.get(TABLE, list.value(), name.value())
                .map(row -> new Versioned<>(Segment.from(list, row.rowKey(), row.values()), row.etag()));
    }

    /** A new one; {@code Conflict} when there is one of this name. */
    public Saved<Segment> insert(Segment segment) {
        return ConditionalWrites.insert(tables, TABLE, key(segment), segment.toValues(), v -> read(segment, v));
    }

    public Saved<Segment> replace(Segment segment, String etag) {
        return ConditionalWrites.replace(tables, TABLE, key(segment), segment.toValues(), etag, v -> read(segment, v));
    }

    /**
     * Deletes one that must still be at the ETag.
     *
     * @return whether there is none now; an answer may have been lost
     */
    public boolean delete(Versioned<Segment> read) {
        Key key = key(read.value());
        return tables.write(TABLE, key.partition(), new Write.Delete(key.row(), read.etag()))
                        .written()
                || tables.get(TABLE, key).isEmpty();
    }

    /**
     * Deletes the segments of a list that is deleted, with their counts.
     *
     * @param isDeleting asked once they are read: those of a new list of the same name stay
     */
    public void deleteAll(ListName list, Predicate<ListName> isDeleting) {
        List<Row> rows = new ArrayList<>(Rows.all(tables, TABLE, KeyRange.partition(list.value())));
        rows.addAll(Rows.all(tables, TABLE, KeyRange.prefix(COUNTS, list + ".")));
        if (isDeleting.test(list)) {
            rows.forEach(row -> tables.write(TABLE, row.key().partition(), Write.delete(row)));
        }
    }

    private static Segment read(Segment like, Values v) {
        return Segment.from(like.list(), like.name().value(), v);
    }

    private static Key key(Segment segment) {
        return new Key(segment.list().value(), segment.name().value());
    }
}
