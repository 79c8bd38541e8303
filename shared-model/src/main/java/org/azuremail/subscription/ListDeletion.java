package org.azuremail.subscription;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyRange;
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

    /** Longer than a call that still saw the list without its mark may write. */
    private static final Duration SETTLED = Duration.ofMinutes(2);

    private final ListStore lists;
    private final TableStore tables;
    private final Confirmations chores;
    private final ListUse use;
    private final Signals signals;
    private final Time time;

    public ListDeletion(
            ListStore lists, TableStore tables, Confirmations chores, ListUse use, Signals signals, Time time) {
        this.lists = lists;
        this.tables = tables;
        this.chores = chores;
        this.use = use;
        this.signals = signals;
        this.time = time;
    }

    /**
     * Marks a list as being deleted; the rest happens by itself.
     *
     * @return false when there is no such list
     */
    public boolean begin(ListName list) {
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
                return Duration.ofMinutes(5);
            }

            @Override
            public void run() {
                lists.all().stream().filter(MailingList::deleting).forEach(ListDeletion.this::goOn);
            }
        };
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
