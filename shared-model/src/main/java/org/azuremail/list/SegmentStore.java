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
 * The segments of lists, as rows {@code <list>}/{@code <segment>} of the table {@code segment}. Every change is written
 * under the ETag that was read. Safe for use from many threads and processes.
 */
public record SegmentStore(TableStore tables) {

    public static final String TABLE = "segment";

    /** The partition of the counts of people; the keys begin with the name of the list and a dot. */
    public static final String COUNTS = ".counts";

    /** The most segments of a list, which are all read at once. */
    public static final int MAX = 200;

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

    /** Stores a new segment; {@code Conflict} if one with this name exists. */
    public Saved<Segment> insert(Segment segment) {
        return ConditionalWrites.insert(tables, TABLE, key(segment), segment.toValues(), v -> read(segment, v));
    }

    public Saved<Segment> replace(Segment segment, String etag) {
        return ConditionalWrites.replace(tables, TABLE, key(segment), segment.toValues(), etag, v -> read(segment, v));
    }

    /**
     * Deletes a segment if it still has the ETag.
     *
     * @return whether the segment no longer exists, even if the answer to an earlier deletion was lost
     */
    public boolean delete(Versioned<Segment> read) {
        Key key = key(read.value());
        return tables.write(TABLE, key.partition(), new Write.Delete(key.row(), read.etag()))
                        .written()
                || tables.get(TABLE, key).isEmpty();
    }

    /**
     * Deletes the segments of a deleted list, with their counts.
     *
     * @param isDeleting asked after the segments are read, so that those of a new list with the same name are kept
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
