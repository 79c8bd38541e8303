package org.azuremail.subscription.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.blobset.SetJobs;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.index.IndexState.Run;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the fields of lists and converts their subscribers: at once in a small list, otherwise by a job. First, the
 * count row of each shard gets the fields to index for new subscribers. Every batch that adds a subscriber contains
 * that row, and every change of a subscriber keeps their indexed fields, so no subscriber of a concurrent writer is
 * missed. The list's state names the job before the job starts, and the service starts a job that a crash has
 * prevented. Safe for use from many threads and processes.
 *
 * @param fits counts the values that a changed field would not fit
 */
public record FieldIndex(
        ListStore lists,
        FieldStore fields,
        TableStore tables,
        SubscriptionStore subscribers,
        IndexStore states,
        SubscriberConverter converter,
        MisfitCounter fits,
        ServiceChoreIndex chores,
        SetJobs jobs,
        Signals signals,
        Time time) {

    private static final Logger LOG = LoggerFactory.getLogger(FieldIndex.class);

    /** The service that starts jobs and advances counts. */
    static final String SERVICE = "field-index";

    /** The longest time of one run of the service. */
    private static final Duration RUN = Duration.ofSeconds(10);

    /**
     * The longest time for which a page waits for the conversion of a list's subscribers; a larger list is left to a
     * job.
     */
    private static final Duration SMALL = Duration.ofMillis(500);

    /** Returns the state of the index of a list; one read. */
    public IndexState state(ListName list) {
        return states.find(list).value();
    }

    /** Returns the job of a run that is under way; empty if the run needs no job. */
    public Optional<SetJobs.Status> job(IndexState state) {
        return Optional.ofNullable(state.run()).flatMap(run -> jobs.find(run.job()));
    }

    /**
     * Returns whether searches may miss subscribers, because a process of an older version has added or removed some
     * since the list was indexed; one read for each shard.
     */
    public boolean outdated(MailingList list) {
        long ready = state(list.name()).ready().revision();
        List<Supplier<IndexMark>> marks = new ArrayList<>();
        for (int shard = 0; ready > 0 && shard < list.shards(); shard++) {
            marks.add(new ShardCounts(tables, list.name(), shard)::index);
        }
        return tables.readInParallel(marks).stream().anyMatch(mark -> mark.revision() < ready);
    }

    /**
     * Does the same as {@link FieldStore#save}, and converts the subscribers: at once in a small list, and later in a
     * large one.
     */
    public FieldStore.FieldSaveResult save(MailingList list, ListFields changed, String etag) {
        ListFields before = fields.of(list);
        Optional<String> tooEarly = changed.fields().stream()
                .map(Field::name)
                .filter(before.removed()::contains)
                .findFirst();
        if (tooEarly.isPresent() && state(list.name()).ready().revision() < before.revision()) {
            return new FieldStore.FieldSaveResult.BeingRemoved(tooEarly.get());
        }
        announce(list.name());
        FieldStore.FieldSaveResult result = fields.save(list, changed, etag);
        if (result instanceof FieldStore.FieldSaveResult.Done) {
            try {
                lists.findActive(list.name()).ifPresent(this::check);
            } catch (StorageException later) {
                LOG.info("subscribers of {} are indexed a little later: {}", list.name(), later.toString());
                signals.runSoon(SERVICE);
            }
        }
        return result;
    }

    /**
     * Starts a job that checks every subscriber and every index row, unless one is under way.
     *
     * @param by the person who asks for it
     */
    public String reindex(MailingList list, String by) {
        announce(list.name());
        Run run = ConditionalWrites.retryIdempotent("index of " + list.name(), () -> {
            Versioned<IndexState> read = states.find(list.name());
            return checking(list, read.value()).or(() -> begin(list, read, true));
        });
        start(list, run, by);
        return run.job();
    }

    private Optional<Run> checking(MailingList list, IndexState state) {
        long revision = fields.of(list).revision();
        boolean over = job(state).filter(job -> job.state().over()).isPresent();
        return Optional.ofNullable(state.run()).filter(run -> run.check() && run.revision() == revision && !over);
    }

    /** Counts the values that a changed field would not fit; in a large list, that takes a while. */
    public void count(MailingList list, Field changed) {
        announce(list.name());
        fits.begin(list.name(), changed);
        if (fits.advance(list.name(), time.elapsed().plus(SMALL))) {
            signals.runSoon(SERVICE);
        }
    }

    /** @param isDeleting asked after the rows are read, so that the rows of a new list with the same name are kept */
    public static void forget(TableStore tables, ListName list, Predicate<ListName> isDeleting) {
        List<Row> rows = Stream.of(FieldStore.key(list), MisfitCounter.key(list), IndexStore.key(list))
                .flatMap(key -> tables.get(ListStore.TABLE, key).stream())
                .toList();
        if (isDeleting.test(list)) {
            rows.forEach(row -> tables.write(ListStore.TABLE, row.key().partition(), Write.delete(row)));
        }
    }

    private void announce(ListName list) {
        chores.announce(SERVICE, time.instant());
        states.add(list);
    }

    /** Starts the run that the fields require, unless it is under way. */
    private void check(MailingList list) {
        Versioned<IndexState> read = states.find(list.name());
        Run running = read.value().run();
        if (read.value().needsRun(fields.of(list), time.instant())) {
            begin(list, read, false)
                    .filter(run -> !finishedImmediately(list, run))
                    .ifPresent(run -> start(list, run, ""));
        } else if (running != null && jobs.find(running.job()).isEmpty()) {
            start(list, running, "");
        }
    }

    /**
     * @param read the state without such a run
     * @return empty if another process was faster, or the list is deleted
     */
    private Optional<Run> begin(MailingList list, Versioned<IndexState> read, boolean check) {
        fields.completeSave(list.name());
        IndexState begun = read.value().withRun(fields.of(list), check, jobs.newId(), time.instant());
        Optional<Run> run = states.save(list.name(), read, begun).map(saved -> begun.run());
        run.ifPresent(now -> cancel(read.value().run()));
        return run;
    }

    /** Cancels the job of a replaced run. It would do nothing, so pages need not show it as running. */
    private void cancel(@Nullable Run superseded) {
        if (superseded != null) {
            jobs.cancel(superseded.job(), "");
        }
    }

    private boolean finishedImmediately(MailingList list, Run run) {
        if (converter.all(list, run, time.elapsed().plus(SMALL))) {
            ListFields wanted = fields.of(list);
            fields.recordConverted(list.name(), run.revision());
            states.change(list.name(), state -> state.runs(run.job()) ? state.finished(wanted, time.instant()) : state);
        }
        return !state(list.name()).runs(run.job());
    }

    private void start(MailingList list, Run run, String by) {
        long people = subscribers.counts(list).total();
        jobs.start(run.job(), IndexJob.NAME, IndexJob.about(list, run, people), by);
    }

    /** Starts jobs that are due or that a crash has prevented, and advances counts. */
    boolean checkAll() {
        Optional<Row> chore = chores.of(SERVICE);
        Duration until = time.elapsed().plus(RUN);
        boolean left = false;
        for (Row state : states.all()) {
            ListName list = new ListName(state.rowKey());
            lists.findActive(list).ifPresent(this::check);
            left |= fits.advance(list, until);
            if (lists.find(list).isEmpty()) {
                states.forget(state);
            }
        }
        if (!left) {
            chore.ifPresent(row -> chores.removeIfSettled(row, time.instant()));
        }
        return left;
    }
}
