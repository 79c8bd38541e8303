package org.azuremail.delivery.range;

import java.util.function.Predicate;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;

/**
 * Ranges that wait for a time, because a transport is unavailable or a limit is reached. Once an admin has dealt with
 * the reason, they continue at once, in all processes. If the reason persists, a range waits again, and no recipient's
 * tries are counted.
 */
public record WaitingRanges(MessageStore messages, DeliveryStore deliveries, RangeQueues ranges, Time time) {

    /**
     * Makes every waiting range of the messages under way due and queues it; ranges of paused messages still wait.
     * Costs two calls for each range and one query for each shard. May be repeated at any time: after an interruption
     * or a lost item, the scheduler's next pass queues the ranges that were made due.
     *
     * @throws org.azuremail.storage.StorageException when the storage is out of reach, so that some ranges still wait
     */
    public void resume() {
        resume(message -> true);
    }

    /** Makes the waiting ranges of messages to a list due, if the list's limits have changed. */
    public void changed(MailingList before, MailingList after) {
        if (!before.limits().equals(after.limits())) {
            resume(message -> message.lists().contains(after.name()));
        }
    }

    private void resume(Predicate<Message> wanted) {
        messages.begun().stream()
                .filter(wanted.and(message -> !message.paused()))
                .forEach(message -> deliveries.ranges(message).forEach(range -> resume(message, range)));
    }

    private void resume(Message message, Versioned<Range> read) {
        deliveries
                .rewrite(read, range -> range.waitsAt(time.instant()) ? range.due(time.instant()) : null)
                .ifPresent(due -> ranges.put(message, due.key(), true));
    }
}
