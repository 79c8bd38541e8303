package org.azuremail.sender;

import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.RangeKey;
import org.azuremail.mail.EmailAddress;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.work.queue.DeadLetter;
import org.azuremail.work.queue.DeadLetters;

/** Keeps the one mail of a range that cannot be prepared, so that a person can look at it and send it again. */
final class DeadMail {

    private static final int TRIES = 5;

    private final DeadLetters letters;
    private final Time time;

    DeadMail(DeadLetters letters, Time time) {
        this.letters = letters;
        this.time = time;
    }

    void add(RangeKey range, String date, EmailAddress address, Reason reason) {
        MailItem item = new MailItem(date, range.shard().ref(), address.value(), true);
        String queue = MailItem.TYPE.queue();
        String id = range.shard().ref() + "." + address.folded();
        letters.add(DeadLetter.of(queue, id, MailItem.TYPE.write(item), reason, time.instant(), TRIES));
    }
}
