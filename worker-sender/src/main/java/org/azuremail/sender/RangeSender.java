package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.RangeKey;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.ShardKey;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.storage.Versioned;
import org.azuremail.work.Delivery;
import org.azuremail.work.ItemType;
import org.azuremail.work.QueueService;
import org.azuremail.work.WorkResult;

/**
 * Handles the sender's work items. An item only says which range to look at; what there is to do stands in the rows, so
 * items may come twice, late, or long after their range is done.
 */
class RangeSender implements QueueService<MailItem> {

    private static final Duration LONG_WAIT = Duration.ofSeconds(60);

    private final SenderParts parts;
    private final ListStore lists;
    private final int concurrency;

    RangeSender(SenderParts parts, ListStore lists, int concurrency) {
        this.parts = parts;
        this.lists = lists;
        this.concurrency = concurrency;
    }

    @Override
    public ItemType<MailItem> itemType() {
        return MailItem.TYPE;
    }

    /** A range counts its own failures; only the single bad mail in it becomes a dead letter. */
    @Override
    public boolean deadLetters() {
        return false;
    }

    @Override
    public int concurrency() {
        return concurrency;
    }

    @Override
    public WorkResult handle(MailItem item, Delivery delivery) {
        Optional<RangeKey> key = item.isRange() ? Optional.of(item.range()) : rangeOf(item);
        Optional<Versioned<Range>> read = key.flatMap(parts.deliveries()::range);
        if (read.isEmpty()) {
            return new WorkResult.Discard("nothing waits for " + item.text());
        }
        Range range = read.get().value();
        Instant now = parts.time().instant();
        if (range.done()) {
            return WorkResult.DONE;
        }
        if (range.waitsAt(now)) {
            return later(now, range.notBefore());
        }
        if (range.heldAt(now, parts.deliveries().limits().skew())) {
            return new WorkResult.RetryAfter(parts.deliveries().limits().lease());
        }
        if (delivery.stopping()) {
            return new WorkResult.RetryAfter(Duration.ZERO);
        }
        return HeldRange.claim(parts.deliveries(), parts.time(), parts.ids().token(), read.get())
                .map(held -> new RangeRun(parts, held, item.date(), delivery).run())
                .orElseGet(() ->
                        new WorkResult.RetryAfter(parts.deliveries().limits().lease()));
    }

    private static WorkResult later(Instant now, Instant notBefore) {
        Duration wait = Duration.between(now, notBefore);
        return wait.compareTo(LONG_WAIT) > 0 ? WorkResult.DONE : new WorkResult.RetryAfter(wait);
    }

    /** The unfinished range that holds the one recipient of an address item. */
    private Optional<RangeKey> rangeOf(MailItem item) {
        Optional<Message> message = parts.messages().find(item.ref());
        Optional<EmailAddress> address = EmailAddress.parse(item.whom());
        Optional<MailingList> list =
                message.flatMap(found -> lists.find(found.list())).map(Versioned::value);
        if (address.isEmpty() || list.isEmpty()) {
            return Optional.empty();
        }
        String row = Recipient.rowKey(address.get());
        ShardKey shard = new ShardKey(item.ref(), list.get().shardOf(address.get()));
        return parts.deliveries().controls(shard).ranges().stream()
                .map(Versioned::value)
                .filter(range -> !range.done() && range.covers(row))
                .map(Range::key)
                .findFirst();
    }
}
