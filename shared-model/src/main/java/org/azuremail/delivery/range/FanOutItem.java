package org.azuremail.delivery.range;

import org.azuremail.message.MessageRef;
import org.azuremail.work.queue.ItemType;

/**
 * A work item for the scheduler: one shard of one message is to be walked.
 *
 * @param date a hint where to find the message
 * @param requeued whether it was queued before
 */
public record FanOutItem(String date, MessageRef ref, int shard, boolean requeued) {

    /** The queue that all schedulers share. */
    public static final ItemType<FanOutItem> TYPE =
            new ItemType<>("azuremailfanoutqueue", FanOutItem.class, FanOutItem::text, FanOutItem::parse);

    public ShardKey key() {
        return new ShardKey(ref, shard);
    }

    /** Returns the text in the form of the sender's items: {@code 2012-10-15,<MessageRef>,@<shard>:0,<flag>}. */
    String text() {
        return new MailItem(date, ref, "@" + shard + ":0", requeued).text();
    }

    static FanOutItem parse(String text) {
        MailItem item = MailItem.parse(text);
        return new FanOutItem(item.date(), item.ref(), item.range().shard().shard(), item.requeued());
    }
}
