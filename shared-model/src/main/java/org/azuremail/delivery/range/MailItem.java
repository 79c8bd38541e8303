package org.azuremail.delivery.range;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.azuremail.message.MessageRef;
import org.azuremail.work.queue.ItemType;

/**
 * A work item for the sender, in the four fields of the source system: date, MessageRef, whom, flag. The date is a hint
 * where to find the message. The flag is 1 when the item was queued again after a restart or by the reconciler. It does
 * not affect how the item is handled, because the archive is always read.
 *
 * @param whom {@code @<shard>:<range>}, or the address of one recipient
 */
public record MailItem(String date, MessageRef ref, String whom, boolean requeued) {

    /** The queue that all senders share. */
    public static final ItemType<MailItem> TYPE =
            new ItemType<>("azuremailqueue", MailItem.class, MailItem::text, MailItem::parse);

    public static MailItem range(String date, RangeKey range, boolean again) {
        return new MailItem(date, range.shard().ref(), "@" + range.shard().shard() + ":" + range.number(), again);
    }

    /** Returns whether the item names a range rather than one recipient. */
    public boolean isRange() {
        return whom.startsWith("@");
    }

    public RangeKey range() {
        int colon = whom.indexOf(':');
        return new RangeKey(
                new ShardKey(ref, Integer.parseInt(whom.substring(1, colon))),
                Integer.parseInt(whom.substring(colon + 1)));
    }

    /** Returns the text on the queue, for example {@code 2012-10-15,634852858215726983,@3:1,0}. */
    public String text() {
        return date + "," + ref + "," + whom + "," + (requeued ? 1 : 0);
    }

    /**
     * Parses an item: the date before the first comma, the MessageRef up to the second, the flag after the last. The
     * rest is whom, so that an address may contain commas.
     *
     * @throws IllegalArgumentException when the text is not such an item
     */
    public static MailItem parse(String text) {
        int first = text.indexOf(',');
        int second = text.indexOf(',', first + 1);
        int last = text.lastIndexOf(',');
        if (first < 0 || second < 0 || last <= second + 1) {
            throw new IllegalArgumentException("a work item has four fields: " + text);
        }
        String flag = text.substring(last + 1);
        MessageRef ref = MessageRef.parse(text.substring(first + 1, second))
                .orElseThrow(() -> new IllegalArgumentException("a work item's second field is a MessageRef: " + text));
        String whom = text.substring(second + 1, last);
        if (!flag.matches("[01]") || (whom.startsWith("@") && !whom.matches("@[0-9]{1,3}:[0-9]{1,9}"))) {
            throw new IllegalArgumentException("not a work item: " + text);
        }
        return new MailItem(date(text.substring(0, first)), ref, whom, flag.equals("1"));
    }

    private static String date(String text) {
        try {
            return LocalDate.parse(text).toString();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a work item's first field is a date: " + text, e);
        }
    }
}
