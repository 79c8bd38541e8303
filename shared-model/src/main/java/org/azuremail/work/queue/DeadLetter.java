package org.azuremail.work.queue;

import java.time.Instant;
import java.util.Locale;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyEscaper;

/**
 * An item that was given up.
 *
 * @param id the id of the dead letter; ids sort newest first
 * @param queue the queue on which the item waited, and to which it returns when it is restored
 * @param text the text of the item; a large text that was read from the {@link DeadLetters} is cut
 * @param reason why it was given up
 * @param at when it was given up
 * @param tries how often its handler had failed; 0 if the item could not be read
 */
public record DeadLetter(String id, String queue, String text, Reason reason, Instant at, int tries) {

    /**
     * Returns a dead letter whose id follows from its item and time, so that recording it twice creates only one.
     *
     * @param itemId an id that is unique within the queue
     */
    public static DeadLetter of(String queue, String itemId, String text, Reason reason, Instant at, int tries) {
        String newestFirst = String.format(Locale.ROOT, "%019d", Long.MAX_VALUE - at.toEpochMilli());
        String id = newestFirst + "." + queue + "." + KeyEscaper.escape(itemId);
        return new DeadLetter(id, queue, text, reason, at, tries);
    }
}
