package org.azuremail.subscription.index;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.field.Field;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The state of the index of a list.
 *
 * @param ready the fields by which every subscriber is indexed
 * @param checkAt when to check the subscribers again, because a process of an older version may have changed some
 * @param stopped the revision of the fields whose run was cancelled or failed, 0 if there is none; the next run waits
 *     until an admin starts it or the fields change
 * @param run the run that is under way
 */
public record IndexState(
        IndexMark ready,
        @Nullable Instant indexedAt,
        @Nullable Instant checkAt,
        long stopped,
        @Nullable Run run) {

    public static final IndexState NONE = new IndexState(IndexMark.NONE, null, null, 0, null);

    /** Longer than processes of an older version still run after an upgrade. */
    static final Duration OLD_PROCESSES = Duration.ofHours(7);

    /**
     * A walk over all subscribers of a list.
     *
     * @param job the run's job, which is not started for a list that is small enough
     * @param check whether to check index rows, too
     */
    public record Run(String job, long revision, boolean check) {}

    /**
     * Returns whether subscribers can be found by this field: searches use an index once it contains all subscribers.
     */
    public boolean canSearch(Field field) {
        return field.searchable() && field.type() == ready.types().get(field.name());
    }

    boolean needsRun(ListFields fields, Instant now) {
        return run == null
                ? stopped != fields.revision() && (ready.revision() < fields.revision() || checkIsDue(now))
                : run.revision() != fields.revision();
    }

    boolean runs(String job) {
        return run != null && run.job().equals(job);
    }

    private boolean checkIsDue(Instant now) {
        return checkAt != null && !checkAt.isAfter(now);
    }

    /**
     * Returns the state after the beginning of a run. From its first page on, the run deletes index rows that the
     * fields do not require, so searches stop using these at once.
     */
    IndexState withRun(ListFields fields, boolean check, String job, Instant now) {
        boolean thorough = check || checkIsDue(now) || (run != null && run.check());
        Run next = new Run(job, fields.revision(), thorough);
        return new IndexState(ready.within(fields.index()), indexedAt, checkAt, 0, next);
    }

    /** Returns the state after the end of a run, unless the present run is for other fields. */
    IndexState finished(ListFields fields, Instant now) {
        if (run == null || run.revision() != fields.revision()) {
            return this;
        }
        boolean first = ready.revision() == 0;
        Instant again = first && checkAt == null ? now.plus(OLD_PROCESSES) : checkAt;
        return new IndexState(fields.index(), now, run.check() && checkIsDue(now) ? null : again, 0, null);
    }

    IndexState withStoppedRun() {
        return run == null ? this : new IndexState(ready, indexedAt, checkAt, run.revision(), null);
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Ready", ready.stored())
                .put("IndexedAt", indexedAt)
                .put("CheckAt", checkAt)
                .put("Stopped", stopped == 0 ? null : stopped);
        if (run != null) {
            values.put("Job", run.job()).put("Revision", run.revision()).put("Check", run.check());
        }
        return values.build();
    }

    static IndexState of(Values values) {
        String job = values.string("Job");
        return new IndexState(
                IndexMark.read(values.string("Ready")),
                values.instant("IndexedAt"),
                values.instant("CheckAt"),
                values.number("Stopped", 0),
                job == null ? null : new Run(job, values.number("Revision", 0), values.bool("Check", false)));
    }
}
