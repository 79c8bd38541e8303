package org.azuremail.outbox;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.outbox.OutboxKeys.Id;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * Emails that were stored in one batch: one row with their own values, packed, and one small row for each email by
 * which its recipient finds it.
 *
 * @param name see {@link OutboxKeys}
 * @param content the name of their common content in {@link OutboxContents}
 */
record OutboxLot(String name, Instant sentAt, String content, List<Mail> mails) {

    /** The most emails of a lot, which fill a batch together with the lot's own row. */
    static final int MAX = TableStore.MAX_BATCH - 1;

    /** The largest data of a row, less room for its other properties. */
    static final int MAX_PACKED = 14 * Values.MAX_BINARY_LENGTH;

    private static final String PACKED = "Mails";

    /** A batch, and the number of emails in it. */
    record Batch(int mails, List<Write> writes) {}

    /**
     * Divides emails into lots that fit a batch, in their order.
     *
     * @param random part of the names of these lots
     * @throws IllegalArgumentException when the values of one email fit no row
     */
    static List<Batch> batches(MailLot lot, Instant sentAt, byte[] random, String content) {
        List<Batch> batches = new ArrayList<>();
        Set<String> used = usedFields(lot.content());
        Deque<List<Mail>> left = new ArrayDeque<>(List.of(lot.mails()));
        while (!left.isEmpty()) {
            List<Mail> mails = left.pop();
            byte[] packed = mails.size() <= MAX ? PackedMails.pack(mails, used) : new byte[0];
            if (mails.size() > MAX) {
                left.push(mails.subList(MAX, mails.size()));
                left.push(mails.subList(0, MAX));
            } else if (packed.length <= MAX_PACKED) {
                String name = OutboxKeys.lot(sentAt, random, batches.size());
                batches.add(new Batch(mails.size(), new OutboxLot(name, sentAt, content, mails).inserts(packed)));
            } else if (mails.size() > 1) {
                left.push(mails.subList(mails.size() / 2, mails.size()));
                left.push(mails.subList(0, mails.size() / 2));
            } else {
                throw new IllegalArgumentException("The values of one mail are larger than the outbox can keep.");
            }
        }
        return batches;
    }

    private static Set<String> usedFields(MailContent content) {
        return Stream.concat(
                        Stream.of(content.subject(), content.html(), content.text()),
                        content.headers().stream().map(MailHeader::value))
                .flatMap(template -> template.fieldNames().stream())
                .collect(Collectors.toSet());
    }

    private List<Write> inserts(byte[] packed) {
        Values.Builder values = Values.builder().put("SentAt", sentAt).put("Content", content);
        for (int from = 0; from < packed.length; from += Values.MAX_BINARY_LENGTH) {
            int end = Math.min(packed.length, from + Values.MAX_BINARY_LENGTH);
            values.put(PACKED + from / Values.MAX_BINARY_LENGTH, Arrays.copyOfRange(packed, from, end));
        }
        List<Write> writes = new ArrayList<>();
        writes.add(Write.insert(OutboxKeys.row(name), values.build()));
        for (int place = 0; place < mails.size(); place++) {
            writes.add(Write.insert(recipientKey(place), Values.none()));
        }
        return writes;
    }

    List<Write> deletes() {
        List<Write> writes = new ArrayList<>();
        for (int place = 0; place < mails.size(); place++) {
            writes.add(Write.delete(recipientKey(place)));
        }
        writes.add(Write.delete(OutboxKeys.row(name)));
        return writes;
    }

    Id id(int place) {
        return new Id(name, place);
    }

    private String recipientKey(int place) {
        return OutboxKeys.recipient(mails.get(place).to().address()) + id(place);
    }

    static OutboxLot of(Row row) {
        Values values = row.values();
        byte[] packed = new byte[0];
        for (byte[] piece = values.bytes(PACKED + 0); piece != null; ) {
            int length = packed.length;
            packed = Arrays.copyOf(packed, length + piece.length);
            System.arraycopy(piece, 0, packed, length, piece.length);
            piece = values.bytes(PACKED + packed.length / Values.MAX_BINARY_LENGTH);
        }
        return new OutboxLot(
                OutboxKeys.lotOf(row.rowKey()),
                values.requireInstant("SentAt"),
                values.requireString("Content"),
                PackedMails.unpack(packed));
    }
}
