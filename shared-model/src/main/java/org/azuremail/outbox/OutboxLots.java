package org.azuremail.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.storage.Write;

/** Divides mails into lots that fit a batch, each with the writes that keep it. */
final class OutboxLots {

    /** A batch, and how many mails it keeps. */
    record Batch(int mails, List<Write> writes) {}

    private final List<Batch> batches = new ArrayList<>();
    private final Instant sentAt;
    private final byte[] random;
    private final String content;
    private final Set<String> used;

    private OutboxLots(Instant sentAt, byte[] random, String content, Set<String> used) {
        this.sentAt = sentAt;
        this.random = random;
        this.content = content;
        this.used = used;
    }

    /**
     * The batches, in the order of the mails.
     *
     * @param random names these lots
     * @throws IllegalArgumentException when the values of one mail fit no row
     */
    static List<Batch> of(MailLot lot, Instant sentAt, byte[] random, String content) {
        OutboxLots lots = new OutboxLots(sentAt, random, content, usedFields(lot.content()));
        List<Mail> mails = lot.mails();
        for (int from = 0; from < mails.size(); from += OutboxLot.MOST) {
            lots.add(mails.subList(from, Math.min(mails.size(), from + OutboxLot.MOST)));
        }
        return lots.batches;
    }

    private void add(List<Mail> mails) {
        byte[] packed = PackedMails.pack(mails, used);
        if (packed.length <= OutboxLot.MAX_PACKED) {
            OutboxLot lot = new OutboxLot(OutboxKeys.lot(sentAt, random, batches.size()), sentAt, content, mails);
            batches.add(new Batch(mails.size(), lot.inserts(packed)));
        } else if (mails.size() > 1) {
            add(mails.subList(0, mails.size() / 2));
            add(mails.subList(mails.size() / 2, mails.size()));
        } else {
            throw new IllegalArgumentException("The values of one mail are larger than the outbox can keep.");
        }
    }

    private static Set<String> usedFields(MailContent content) {
        Set<String> used = new HashSet<>(content.subject().fieldNames());
        used.addAll(content.html().fieldNames());
        used.addAll(content.text().fieldNames());
        for (MailHeader header : content.headers()) {
            used.addAll(header.value().fieldNames());
        }
        return used;
    }
}
