package org.azuremail.delivery.range;

import java.util.function.Predicate;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;

/**
 * Ranges that wait for a moment, because a transport is left alone or a limit is reached. Somebody did something about the
 * reason, and they go on now, in all processes. One whose reason still holds waits again; nobody is charged for it.
 */
public record WaitingRanges(MessageStore messages, DeliveryStore deliveries, RangeQueues ranges, Time time) {

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
                .forEach(message -> deliveries.ranges(message).forEach(range -> goOn(message, range)));
    }

    private void goOn(Message message, Versioned<Range> read) {
        deliveries
                .rewrite(read, range -> range.waitsAt(time.instant()) ? range.due(time.instant()) : null)
                .ifPresent(due -> ranges.put(message, due.key(), true));
    }
}
