package org.azuremail.subscription.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.blobset.SetJob;
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
import org.azuremail.subscription.index.IndexState.Run;
import org.azuremail.subscription.store.Chores;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the fields of lists, and brings their subscribers in line with them: at once where that takes a moment, otherwise by
 * a job. First each shard's count row says what is indexed of those who are added; as every batch that adds somebody carries
 * that row, and every change of somebody keeps what is indexed of them, nobody is missed, whoever writes at the same time. The
 * list's state names the job before it begins, and the service begins a job that a crash has prevented. Safe for use from many
 * threads and processes.
 */
public final class FieldIndex {

    private static final Logger LOG = LoggerFactory.getLogger(FieldIndex.class);

    private static final String NAME = "field-index";

    private static final Duration SLOW_LOOK = Duration.ofDays(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /** The longest time of one run, and the time that a page waits for a list that is small enough. */
    private static final Duration RUN = Duration.ofSeconds(10);

    private static final Duration SMALL = Duration.ofMillis(500);

    private final ListStore lists;
    private final FieldStore fields;
    private final TableStore tables;
    private final SubscriptionStore subscribers;
    private final IndexStore states;
    private final IndexWalk walk;
    private final FieldFits fits;
    private final Chores chores;
    private final SetJobs jobs;
    private final Signals signals;
    private final Time time;
    private volatile boolean someLeft;

    public FieldIndex(
            ListStore lists,
            FieldStore fields,
            TableStore tables,
            ShardWriter writer,
            SetJobs jobs,
            Signals signals,
            Time time) {
        this.lists = lists;
        this.fields = fields;
        this.tables = tables;
        this.subscribers = new SubscriptionStore(tables);
        this.states = new IndexStore(tables);
        this.walk = new IndexWalk(tables, writer, lists, fields, time);
        this.fits = new FieldFits(tables, lists, fields, time);
        this.chores = new Chores(tables);
        this.jobs = jobs;
        this.signals = signals;
        this.time = time;
    }

    /** Returns the state of the index of a list; one read. */
    public IndexState state(ListName list) {
        return states.find(list).value();
    }

    /** The job of a run that is under way; empty also while that is done at once. */
    public Optional<SetJobs.Status> job(IndexState state) {
        return Optional.ofNullable(state.run()).flatMap(run -> jobs.find(run.job()));
    }

    /**
     * Returns whether a process of an older version has added or removed subscribers since the list was indexed, so that
     * searches may miss some; one read a shard.
     */
    public boolean outdated(MailingList list) {
        long ready = state(list.name()).ready().revision();
        List<Supplier<IndexMark>> marks = new ArrayList<>();
        for (int shard = 0; ready > 0 && shard < list.shards(); shard++) {
            int one = shard;
            marks.add(() -> ShardCounts.index(tables, list.name(), one));
        }
        return tables.sideBySide(marks).stream().anyMatch(mark -> mark.revision() < ready);
    }

    /** As {@link FieldStore#save}; the subscribers of a small list are in line at once, those of a large one some time later. */
    public FieldStore.Saving save(MailingList list, ListFields changed, String etag) {
        ListFields before = fields.of(list);
        Optional<String> tooEarly = changed.fields().stream()
                .map(Field::name)
                .filter(before.removed()::contains)
                .findFirst();
        if (tooEarly.isPresent() && state(list.name()).ready().revision() < before.revision()) {
            return new FieldStore.Saving.BeingRemoved(tooEarly.get());
        }
        announce(list.name());
        FieldStore.Saving saving = fields.save(list, changed, etag);
        if (saving instanceof FieldStore.Saving.Done) {
            try {
                lists.findActive(list.name()).ifPresent(this::lookAfter);
            } catch (StorageException later) {
                LOG.info("subscribers of {} are indexed a little later: {}", list.name(), later.toString());
                signals.runSoon(NAME);
            }
        }
        return saving;
    }

    /**
     * Has a job look at every subscriber and every index row once more. While one does, it is that one.
     *
     * @param by who asks
     * @return the job
     */
    public String again(MailingList list, String by) {
        announce(list.name());
        Run run = ConditionalWrites.untilKnown(
                "index of " + list.name(), () -> checking(list).or(() -> begin(list, true)));
        start(list, run, by);
        return run.job();
    }

    private Optional<Run> checking(MailingList list) {
        IndexState state = state(list.name());
        long revision = fields.of(list).revision();
        boolean over = job(state).filter(job -> job.state().over()).isPresent();
        return Optional.ofNullable(state.run()).filter(run -> run.check() && run.revision() == revision && !over);
    }

    /** Returns the number of values that a changed field would not fit; the count may still be under way. */
    public FieldFits fits() {
        return fits;
    }

    /** Counts the values that a changed field would not fit, a large list's some time later. */
    public void count(MailingList list, Field changed) {
        announce(list.name());
        fits.begin(list.name(), changed);
        if (fits.goOn(list.name(), time.elapsed().plus(SMALL))) {
            signals.runSoon(NAME);
        }
    }

    /** The list is deleted. */
    public static void forget(TableStore tables, ListName list) {
        FieldStore.forget(tables, list);
        FieldFits.forget(tables, list);
        new IndexStore(tables).forget(list);
    }

    private void announce(ListName list) {
        chores.announce(NAME, time.instant());
        states.add(list);
    }

    /** Begins what the fields ask for, unless that is under way. */
    private void lookAfter(MailingList list) {
        IndexState state = state(list.name());
        Run running = state.run();
        if (state.needsRun(fields.of(list), time.instant())) {
            begin(list, false).filter(run -> !doneAtOnce(list, run)).ifPresent(run -> start(list, run, ""));
        } else if (running != null && jobs.find(running.job()).isEmpty()) {
            start(list, running, "");
        }
    }

    /** @return empty when somebody else was faster, or the list's state is gone with it */
    private Optional<Run> begin(MailingList list, boolean check) {
        fields.settle(list.name());
        Versioned<IndexState> read = states.find(list.name());
        IndexState begun = read.value().begun(fields.of(list), check, jobs.newId(), time.instant());
        Optional<Run> run = states.save(list.name(), read, begun).map(saved -> begun.run());
        run.ifPresent(now -> cancel(read.value().run()));
        return run;
    }

    /** One of older fields does nothing more; pages need not show that it goes on. */
    private void cancel(@Nullable Run superseded) {
        if (superseded != null) {
            jobs.cancel(superseded.job(), "");
        }
    }

    /** @return whether the run needs no job any more */
    private boolean doneAtOnce(MailingList list, Run run) {
        if (walk.all(list, run, time.elapsed().plus(SMALL))) {
            ListFields wanted = fields.of(list);
            fields.inForm(list.name(), run.revision());
            states.change(list.name(), state -> state.runs(run.job()) ? state.finished(wanted, time.instant()) : state);
        }
        return !state(list.name()).runs(run.job());
    }

    private void start(MailingList list, Run run, String by) {
        long people = subscribers.counts(list).total();
        jobs.start(run.job(), IndexJob.NAME, IndexJob.about(list, run, people), by);
    }

    /** The job that indexes a list; every process of the scheduler's role works on it. */
    public SetJob<?, ?> indexJob() {
        return new IndexJob(lists, fields, states, walk, time);
    }

    /** Begins jobs that are due or that a crash has prevented, and goes on with counts; one role runs it. */
    public ScheduledService service() {
        return new ScheduledService() {
            @Override
            public String name() {
                return NAME;
            }

            @Override
            public Duration interval() {
                return someLeft ? AT_ONCE : SLOW_LOOK;
            }

            @Override
            public boolean active() {
                return someLeft;
            }

            @Override
            public void run() {
                lookAfterAll();
            }
        };
    }

    private void lookAfterAll() {
        Optional<Row> chore = chores.of(NAME);
        Duration until = time.elapsed().plus(RUN);
        boolean left = false;
        for (ListName list : states.all()) {
            lists.findActive(list).ifPresent(this::lookAfter);
            left |= fits.goOn(list, until);
            if (lists.find(list).isEmpty()) {
                states.forget(list);
            }
        }
        someLeft = left;
        if (!left) {
            chore.ifPresent(row -> chores.done(row, time.instant()));
        }
    }
}
