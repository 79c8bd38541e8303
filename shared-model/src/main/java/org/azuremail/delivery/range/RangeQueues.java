package org.azuremail.delivery.range;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.limit.MessageShare;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Message;
import org.azuremail.work.Switches;
import org.azuremail.work.queue.WorkQueues;

/**
 * Puts the senders' work items on the queue of their message's class. The queue of an item does not affect how it is
 * handled.
 */
public record RangeQueues(WorkQueues work, MailClasses classes) {

    public MailClass classOf(Message message) {
        return classes.of(message.mailClass());
    }

    /** Returns the share of a transport's limits that the message may use. */
    public MessageShare shareOf(Message message) {
        return new MessageShare(classOf(message).share(), classes.ageing());
    }

    public String queueOf(Message message) {
        return classOf(message).queue(MailItem.TYPE.queue());
    }

    /** Returns the queue that receives the items of this one, which is another one if its class was removed. */
    public String effectiveQueue(String queue) {
        String all = MailItem.TYPE.queue();
        boolean removed = queue.startsWith(all + "-")
                && classes.all().stream().noneMatch(one -> one.queue(all).equals(queue));
        return removed ? classes.byDefault().queue(all) : queue;
    }

    /** Returns how long the message waits for the hours of its class. */
    public Duration closedFor(Message message, Instant now) {
        return classOf(message).hours().closedFor(now);
    }

    /** Returns whether senders take no ranges of the message: its class is suspended or outside its hours. */
    public boolean held(Message message, Switches switches, Instant now) {
        return switches.stopped(queueOf(message)) || !closedFor(message, now).isZero();
    }

    /** Queues the item of a range, durably. */
    public void put(Message message, RangeKey range, boolean requeued) {
        work.putText(
                queueOf(message),
                MailItem.range(message.datePartition(), range, requeued).text(),
                Duration.ZERO);
    }
}
