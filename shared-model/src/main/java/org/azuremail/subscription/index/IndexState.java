package org.azuremail.subscription.index;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.field.Field;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The state of the index of a list.
 *
 * @param ready what every subscriber is indexed by
 * @param indexedAt when that was finished
 * @param checkAt when subscribers are to be looked at once more, because a process of an older version may have changed some
 * @param progress of the walk that is under way
 */
public record IndexState(
        IndexMark ready,
        @Nullable Instant indexedAt,
        @Nullable Instant checkAt,
        @Nullable Progress progress) {

    /** The state of a list that was never indexed. */
    public static final IndexState NONE = new IndexState(IndexMark.NONE, null, null, null);

    /** Longer than a process of an older version goes on after an upgrade. */
    static final Duration OLD_PROCESSES = Duration.ofHours(7);

    /**
     * A walk over all subscribers of a list, shard by shard.
     *
     * @param revision of the fields
     * @param check whether index rows are looked at, too
     * @param after the last row that is done in this shard; {@code null} before the first
     * @param rows subscribers that are done
     */
    public record Progress(
            long revision,
            boolean check,
            int shard,
            @Nullable String after,
            long rows,
            Instant beganAt) {

        Progress at(String row, long more) {
            return new Progress(revision, check, shard, row, rows + more, beganAt);
        }

        Progress nextShard(long more) {
            return new Progress(revision, check, shard + 1, null, rows + more, beganAt);
        }
    }

    /** Returns whether people can be found by this field: searches do not use an index before all subscribers are in it. */
    public boolean finds(Field field) {
        return field.searchable() && field.type() == ready.types().get(field.name());
    }

    boolean needsWork(ListFields fields, Instant now) {
        return progress != null || ready.revision() < fields.revision() || checkIsDue(now);
    }

    private boolean checkIsDue(Instant now) {
        return checkAt != null && !checkAt.isAfter(now);
    }

    IndexState begun(ListFields fields, boolean check, Instant now) {
        boolean thorough = check || checkIsDue(now) || (progress != null && progress.check());
        return new IndexState(ready, indexedAt, checkAt, new Progress(fields.revision(), thorough, 0, null, 0, now));
    }

    IndexState with(Progress next) {
        return new IndexState(ready, indexedAt, checkAt, next);
    }

    IndexState finished(ListFields fields, boolean check, Instant now) {
        boolean first = ready.revision() == 0;
        Instant again = first && checkAt == null ? now.plus(OLD_PROCESSES) : checkAt;
        return new IndexState(fields.index(), now, check && checkIsDue(now) ? null : again, null);
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Ready", ready.stored())
                .put("IndexedAt", indexedAt)
                .put("CheckAt", checkAt);
        if (progress != null) {
            values.put("Revision", progress.revision())
                    .put("Check", progress.check())
                    .put("Shard", progress.shard())
                    .put("After", progress.after())
                    .put("Rows", progress.rows())
                    .put("BeganAt", progress.beganAt());
        }
        return values.build();
    }

    static IndexState of(Row row) {
        return of(row.values());
    }

    static IndexState of(Values values) {
        Instant beganAt = values.instant("BeganAt");
        return new IndexState(
                IndexMark.read(values.string("Ready")),
                values.instant("IndexedAt"),
                values.instant("CheckAt"),
                beganAt == null
                        ? null
                        : new Progress(
                                values.number("Revision", 0),
                                values.bool("Check", false),
                                values.integer("Shard", 0),
                                values.string("After"),
                                values.number("Rows", 0),
                                beganAt));
    }
}
