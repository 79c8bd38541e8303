package org.azuremail.work.queue;

import java.time.Instant;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyEscaper;

/**
 * An item that was given up.
 *
 * @param id names the dead letter; ids sort newest first
 * @param queue where the item waited, and where it goes when it is restored
 * @param text the item; of a large one that was read from the {@link DeadLetters} only how it begins
 * @param reason why it was given up
 * @param at when
 * @param tries how often its handler had failed; 0 when it could not be read
 */
public record DeadLetter(String id, String queue, String text, Reason reason, Instant at, int tries) {

    /**
     * A dead letter whose id follows from its item and time, so that recording it twice makes one.
     *
     * @param itemId unique within the queue
     */
    public static DeadLetter of(String queue, String itemId, String text, Reason reason, Instant at, int tries) {
        String newestFirst = String.format("%019d", Long.MAX_VALUE - at.toEpochMilli());
        String id = newestFirst + "." + queue + "." + KeyEscaper.escape(itemId);
        return new DeadLetter(id, queue, text, reason, at, tries);
    }
}
