package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.azuremail.work.ScheduledService;
import org.azuremail.work.Signals;

/**
 * Deletes lists. The mark comes first: from then on the list takes no subscriber and no message. Once no message of it is
 * active its subscribers go, batch by batch, and when all shards are found empty the list and, last, its name. A crash
 * costs nothing: the next run goes on.
 */
public final class ListDeletion {

    private static final String NAME = "list-deletion";
    private static final String SINCE_ROW = "deleting";

    /** Mostly there is nothing to do; whoever begins something announces it. */
    private static final Duration SLOW_LOOK = Duration.ofDays(1);

    private static final Duration AGAIN = Duration.ofMinutes(5);

    /** Longer than a call that still saw the list without its mark may write. */
    private static final Duration SETTLED = Duration.ofMinutes(2);

    private final ListStore lists;
    private final TableStore tables;
    private final Confirmations chores;
    private final ListUse use;
    private final Signals signals;
    private final Time time;
    private final Chores index;
    private volatile boolean someLeft;

    public ListDeletion(
            ListStore lists, TableStore tables, Confirmations chores, ListUse use, Signals signals, Time time) {
        this.lists = lists;
        this.tables = tables;
        this.chores = chores;
        this.use = use;
        this.signals = signals;
        this.time = time;
        this.index = new Chores(tables);
    }

    /**
     * Marks a list as being deleted; the rest happens by itself.
     *
     * @return false when there is no such list
     */
    public boolean begin(ListName list) {
        index.announce(NAME, time.instant());
        boolean there = lists.markDeleting(list) instanceof ListStore.Saving.Saved;
        if (there) {
            signals.runSoon(NAME);
        }
        return there;
    }

    /** Goes on with every list that is being deleted; one role runs it. */
    public ScheduledService service() {
        return new ScheduledService() {
            @Override
            public String name() {
                return NAME;
            }

            @Override
            public Duration interval() {
                return SLOW_LOOK;
            }

            @Override
            public Duration restWhenAlone() {
                return someLeft ? AGAIN : SLOW_LOOK;
            }

            @Override
            public void run() {
                goOnWithAll();
            }
        };
    }

    private void goOnWithAll() {
        someLeft = true;
        Optional<Row> chore = index.of(NAME);
        List<MailingList> deleting =
                lists.all().stream().filter(MailingList::deleting).toList();
        deleting.forEach(this::goOn);
        if (deleting.isEmpty()) {
            chore.ifPresent(row -> index.done(row, time.instant()));
        }
        someLeft = !deleting.isEmpty();
    }

    private void goOn(MailingList list) {
        if (use.inUse(list.name())) {
            return;
        }
        Instant since = since(list.name());
        boolean empty = true;
        for (int shard = 0; shard < list.shards(); shard++) {
            String partition = SubscriberKeys.partition(list.name(), shard);
            chores.finishMoves(list, shard);
            empty &= !Removal.all(tables, ListStore.TABLE, KeyRange.partition(partition), partition);
        }
        if (empty && since.plus(SETTLED).isBefore(time.instant())) {
            tables.get(ListStore.TABLE, list.name().value(), SINCE_ROW)
                    .ifPresent(row -> tables.write(ListStore.TABLE, list.name().value(), Write.delete(row)));
            lists.remove(list.name());
        }
    }

    /** When the first run saw the mark. */
    private Instant since(ListName list) {
        Instant now = time.instant();
        Optional<Instant> known = tables.get(ListStore.TABLE, list.value(), SINCE_ROW)
                .map(row -> row.values().requireInstant("Since"));
        if (known.isEmpty()) {
            tables.write(ListStore.TABLE, list.value(), Write.insert(SINCE_ROW, Values.of("Since", now)));
        }
        return known.orElse(now);
    }
}
