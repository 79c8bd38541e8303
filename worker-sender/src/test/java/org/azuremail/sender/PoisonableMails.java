package org.azuremail.sender;

import java.net.URI;
import java.util.List;
import java.util.Set;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailLot;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.time.Time;

/** The real maker of mails, but for some addresses it throws. */
final class PoisonableMails extends LotMaker {

    private final Set<String> poisoned;

    PoisonableMails(MessageBlobs blobs, ListStore lists, URI publicUrl, Time time, Set<String> poisoned) {
        super(blobs, lists, publicUrl, time);
        this.poisoned = poisoned;
    }

    @Override
    MailLot lot(Message message, List<WaitingRow> rows) {
        for (WaitingRow row : rows) {
            if (poisoned.contains(row.recipient().address().value())) {
                throw new IllegalStateException("poison");
            }
        }
        return super.lot(message, rows);
    }
}
