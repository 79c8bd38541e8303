package org.azuremail.delivery.range;

import java.util.Optional;
import java.util.function.Predicate;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;

/**
 * Ranges that wait for a moment, because a transport is left alone or a limit is reached. Somebody did something about the
 * reason, and they go on now, in all processes. One whose reason still holds waits again; nobody is charged for it.
 */
public class WaitingRanges {

    private final MessageStore messages;
    private final DeliveryStore deliveries;
    private final RangeQueues ranges;
    private final Time time;

    public WaitingRanges(MessageStore messages, DeliveryStore deliveries, RangeQueues ranges, Time time) {
        this.messages = messages;
        this.deliveries = deliveries;
        this.ranges = ranges;
        this.time = time;
    }

    /**
     * Makes every waiting range of the messages under way due, and queues it; those of paused messages wait on. Two calls a
     * range, and one query a shard. May be repeated at any time: where it ended half-way, and for an item that was lost, the
     * scheduler's look a minute later does the rest of what was made due.
     *
     * @throws org.azuremail.storage.StorageException when the storage is out of reach: some ranges wait on
     */
    public void goOn() {
        goOn(message -> true);
    }

    /** The same for the messages to a list, if its limits are others by now. */
    public void changed(MailingList before, MailingList after) {
        if (!before.limits().equals(after.limits())) {
            goOn(message -> message.lists().contains(after.name()));
        }
    }

    private void goOn(Predicate<Message> wanted) {
        messages.begun().stream()
                .filter(wanted.and(message -> !message.paused()))
                .forEach(this::goOn);
    }

    private void goOn(Message message) {
        message.shardNumbers().forEach(shard -> {
            for (Versioned<Range> range :
                    deliveries.controls(new ShardKey(message.ref(), shard)).ranges()) {
                goOn(message, range);
            }
        });
    }

    /** A refused write means that R was changed: it is read again, since not everybody who writes R takes it up. */
    private void goOn(Message message, Versioned<Range> read) {
        Optional<Versioned<Range>> current = Optional.of(read);
        while (current.isPresent() && current.get().value().waitsAt(time.instant())) {
            Range due = current.get().value().due(time.instant());
            if (deliveries.replaceRange(current.get(), due) instanceof WriteResult.Written) {
                ranges.put(message, due.key(), true);
                return;
            }
            current = deliveries.range(due.key());
        }
    }
}
