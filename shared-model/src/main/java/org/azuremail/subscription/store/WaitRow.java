package org.azuremail.subscription.store;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;

/**
 * A waiting chore of a subscriber. The row exists exactly as long as the subscriber's bookkeeping names the chore.
 *
 * @param queuedAt when the chore was last queued, or when to queue it at the earliest
 * @param repeats how often the chore was queued again
 */
public record WaitRow(
        Bookkeeping.Chore chore, EmailAddress address, SubscriberGuid guid, Instant queuedAt, int repeats) {

    private static final Duration STALE = Duration.ofSeconds(60);
    private static final int MAX_DOUBLINGS = 6;

    public static WaitRow of(Subscriber subscriber, Instant queuedAt) {
        Bookkeeping.Chore chore = subscriber.bookkeeping().chore();
        if (chore == null) {
            throw new IllegalArgumentException("nothing waits");
        }
        return new WaitRow(chore, subscriber.address(), subscriber.guid(), queuedAt, 0);
    }

    public static WaitRow of(Row row) {
        Values values = row.values();
        try {
            return new WaitRow(
                    Bookkeeping.Chore.valueOf(values.requireString("Chore")),
                    new EmailAddress(values.requireString("EmailAddress")),
                    new SubscriberGuid(values.requireString("SubscriberGUID")),
                    values.requireInstant("QueuedAt"),
                    values.integer("Repeats", 0));
        } catch (IllegalArgumentException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "row " + row.key(), e);
        }
    }

    /**
     * Returns whether to queue the chore again. Each repeat waits twice as long, so that a backlog does not multiply.
     */
    public boolean stale(Instant now) {
        Duration patience = STALE.multipliedBy(1L << Math.min(repeats, MAX_DOUBLINGS));
        return !queuedAt.plus(patience).isAfter(now);
    }

    public WaitRow repeatedAt(Instant now) {
        return new WaitRow(chore, address, guid, now, repeats + 1);
    }

    public Write upsert() {
        return Write.upsert(SubscriberKeys.waiting(address.folded()), values());
    }

    public Write replace(Row row) {
        return Write.replace(row, values());
    }

    private Values values() {
        return Values.builder()
                .put("Chore", chore.name())
                .put("EmailAddress", address.value())
                .put("SubscriberGUID", guid.value())
                .put("QueuedAt", queuedAt)
                .put("Repeats", repeats)
                .build();
    }
}
