package org.azuremail.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.outbox.OutboxKeys.Id;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import tools.jackson.databind.json.JsonMapper;

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

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A recipient with the values of an email. All of a lot are stored as compressed JSON: they are very similar. */
    private record Packed(String to, String name, String id, Map<String, String> fields) {}

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
            byte[] packed = mails.size() <= MAX ? pack(mails, used) : new byte[0];
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

    /** @param used the fields that the content uses; no others are stored */
    private static byte[] pack(List<Mail> mails, Set<String> used) {
        List<Packed> packed = new ArrayList<>();
        for (Mail mail : mails) {
            Map<String, String> fields = new TreeMap<>(mail.fields());
            fields.keySet().retainAll(used);
            packed.add(new Packed(mail.to().address().value(), mail.to().name(), mail.messageId(), fields));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater fast = new Deflater(Deflater.BEST_SPEED);
        try (OutputStream out = new DeflaterOutputStream(bytes, fast)) {
            JSON.writeValue(out, packed);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        } finally {
            fast.end();
        }
        return bytes.toByteArray();
    }

    private static List<Mail> unpack(byte[] bytes) {
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            return Stream.of(JSON.readValue(in, Packed[].class))
                    .map(one -> new Mail(new Mailbox(new EmailAddress(one.to()), one.name()), one.id(), one.fields()))
                    .toList();
        } catch (IOException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "a lot of the outbox cannot be read", e);
        }
    }

    private List<Write> inserts(byte[] packed) {
        Values.Builder values = Values.builder().put("SentAt", sentAt).put("Content", content);
        for (int from = 0; from < packed.length; from += Values.MAX_BINARY_LENGTH) {
            int end = Math.min(packed.length, from + Values.MAX_BINARY_LENGTH);
            values.put(PACKED + from / Values.MAX_BINARY_LENGTH, Arrays.copyOfRange(packed, from, end));
        }
        return Stream.concat(
                        Stream.of(Write.insert(OutboxKeys.row(name), values.build())),
                        recipientKeys().map(key -> Write.insert(key, Values.none())))
                .toList();
    }

    List<Write> deletes() {
        return Stream.concat(recipientKeys(), Stream.of(OutboxKeys.row(name)))
                .map(Write::delete)
                .toList();
    }

    Id id(int place) {
        return new Id(name, place);
    }

    private Stream<String> recipientKeys() {
        return IntStream.range(0, mails.size())
                .mapToObj(place -> OutboxKeys.recipient(mails.get(place).to().address()) + id(place));
    }

    static OutboxLot of(Row row) {
        Values values = row.values();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        int number = 0;
        for (byte[] piece = values.bytes(PACKED + number); piece != null; piece = values.bytes(PACKED + number)) {
            packed.writeBytes(piece);
            number++;
        }
        return new OutboxLot(
                OutboxKeys.lotOf(row.rowKey()),
                values.requireInstant("SentAt"),
                values.requireString("Content"),
                unpack(packed.toByteArray()));
    }
}
