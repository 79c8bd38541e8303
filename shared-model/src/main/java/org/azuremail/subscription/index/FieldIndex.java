package org.azuremail.subscription.index;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.IndexMark;
import org.azuremail.field.ListFields;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.subscription.index.IndexState.Progress;
import org.azuremail.subscription.store.Chores;
import org.azuremail.subscription.store.ShardCounts;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the fields of lists, and brings their subscribers in line with them: a walk over each list, page by page, by one
 * process at a time. First each shard's count row says what is indexed of those who are added; as every batch that adds
 * somebody carries that row, and every change of somebody keeps what is indexed of them, nobody is missed, whoever writes at
 * the same time. After a crash the next run goes on. Safe for use from many threads and processes.
 */
public final class FieldIndex {

    private static final Logger LOG = LoggerFactory.getLogger(FieldIndex.class);

    private static final String NAME = "field-index";

    /** One row for each list whose fields somebody changed. */
    private static final String PARTITION = ".index";

    private static final Duration SLOW_LOOK = Duration.ofDays(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /** The longest time of one run, and the time that a page waits for a list that is small enough. */
    private static final Duration RUN = Duration.ofSeconds(10);

    private static final Duration SMALL = Duration.ofMillis(500);

    private final ListStore lists;
    private final FieldStore fields;
    private final TableStore tables;
    private final IndexWalk walk;
    private final FieldFits fits;
    private final Chores chores;
    private final Signals signals;
    private final Time time;
    private volatile boolean someLeft;

    public FieldIndex(
            ListStore lists, FieldStore fields, TableStore tables, ShardWriter writer, Signals signals, Time time) {
        this.lists = lists;
        this.fields = fields;
        this.tables = tables;
        this.walk = new IndexWalk(tables, writer, time);
        this.fits = new FieldFits(tables, lists, time);
        this.chores = new Chores(tables);
        this.signals = signals;
        this.time = time;
    }

    /** Returns the state of the index of a list; one read. */
    public IndexState state(ListName list) {
        return row(list).map(IndexState::of).orElse(IndexState.NONE);
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
        announce(list.name());
        FieldStore.Saving saving = fields.save(list, changed, etag);
        if (saving instanceof FieldStore.Saving.Done) {
            goOnForAMoment(list.name());
        }
        return saving;
    }

    /** Looks at every subscriber and every index row once more. */
    public void again(MailingList list) {
        announce(list.name());
        ConditionalWrites.untilKnownDone("index of " + list.name(), () -> {
            Versioned<IndexState> state = find(list.name());
            Progress running = state.value().progress();
            return (running != null && running.check())
                    || save(list.name(), state, state.value().begun(fields.of(list), true, time.instant()))
                            .isPresent();
        });
        goOnForAMoment(list.name());
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
        tables.write(ListStore.TABLE, PARTITION, Write.delete(list.value()));
    }

    private void announce(ListName list) {
        chores.announce(NAME, time.instant());
        tables.write(ListStore.TABLE, PARTITION, Write.insert(list.value(), IndexState.NONE.values()));
    }

    /** The service does anything that fails here. */
    private void goOnForAMoment(ListName list) {
        boolean left = true;
        try {
            left = goOn(list, time.elapsed().plus(SMALL));
        } catch (StorageException later) {
            LOG.info("subscribers of {} are indexed a little later: {}", list, later.toString());
        }
        if (left) {
            signals.runSoon(NAME);
        }
    }

    /** Goes on with every list that is not in line with its fields; one role runs it. */
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
                goOnWithAll();
            }
        };
    }

    private void goOnWithAll() {
        Optional<Row> chore = chores.of(NAME);
        Duration until = time.elapsed().plus(RUN);
        boolean left = false;
        for (Row row : Rows.all(tables, ListStore.TABLE, KeyRange.partition(PARTITION))) {
            ListName list = new ListName(row.rowKey());
            left |= goOn(list, until);
            left |= fits.goOn(list, until);
            if (lists.find(list).isEmpty()) {
                tables.write(ListStore.TABLE, PARTITION, Write.delete(row));
            }
        }
        someLeft = left;
        if (!left) {
            chore.ifPresent(row -> chores.done(row, time.instant()));
        }
    }

    /** @return whether something is left to do */
    private boolean goOn(ListName list, Duration until) {
        boolean left = true;
        while (left && time.elapsed().compareTo(until) < 0) {
            Versioned<IndexState> state = find(list);
            Optional<MailingList> active = lists.findActive(list);
            left = active.isPresent() && step(active.get(), state);
        }
        return left;
    }

    /** Indexes one page. Fields are read each time: a process that changes them begins a walk of its own. */
    private boolean step(MailingList list, Versioned<IndexState> read) {
        IndexState state = read.value();
        ListFields wanted = fields.of(list);
        Instant now = time.instant();
        if (read.etag().isEmpty() || !state.needsWork(wanted, now)) {
            return false;
        }
        Progress progress = state.progress();
        if (progress == null || progress.revision() != wanted.revision()) {
            fields.settle(list.name());
            save(list.name(), read, state.begun(wanted, false, now));
            return true;
        }
        if (progress.shard() >= list.shards()) {
            save(list.name(), read, state.finished(wanted, progress.check(), now));
            return true;
        }
        save(list.name(), read, state.with(page(list, wanted, progress)));
        return true;
    }

    private Progress page(MailingList list, ListFields wanted, Progress progress) {
        String after = progress.after();
        if (after == null) {
            ShardCounts.mark(tables, list.name(), progress.shard(), wanted.index());
        }
        boolean inIndex = after != null && after.startsWith(SubscriberKeys.INDEX);
        IndexWalk.Page page = inIndex
                ? walk.index(list.name(), progress.shard(), after)
                : walk.subscribers(list.name(), progress.shard(), wanted, after, () -> attributes(list.name()));
        if (page.last() != null) {
            return progress.at(page.last(), page.subscribers());
        }
        return inIndex || !progress.check()
                ? progress.nextShard(page.subscribers())
                : progress.at(SubscriberKeys.INDEX, page.subscribers());
    }

    private Set<String> attributes(ListName list) {
        return lists.find(list)
                .<Set<String>>map(now -> now.value().attributes())
                .orElse(Set.of());
    }

    private Optional<Row> row(ListName list) {
        return tables.get(ListStore.TABLE, PARTITION, list.value());
    }

    private Versioned<IndexState> find(ListName list) {
        return row(list)
                .map(row -> new Versioned<>(IndexState.of(row), row.etag()))
                .orElseGet(() -> new Versioned<>(IndexState.NONE, ""));
    }

    private Optional<Versioned<IndexState>> save(ListName list, Versioned<IndexState> read, IndexState next) {
        if (read.etag().isEmpty()) {
            return Optional.empty();
        }
        return ConditionalWrites.replace(
                        tables,
                        ListStore.TABLE,
                        new Key(PARTITION, list.value()),
                        next.values(),
                        read.etag(),
                        IndexState::of)
                .done();
    }
}
