package org.azuremail.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.StorageException;
import tools.jackson.databind.json.JsonMapper;

/** Packs recipients and their values as compressed JSON, because they are very similar. */
final class PackedMails {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record Packed(String to, String name, String id, Map<String, String> fields) {}

    private PackedMails() {}

    /** @param used the fields that the content uses; no others are stored */
    static byte[] pack(List<Mail> mails, Set<String> used) {
        List<Packed> packed = new ArrayList<>();
        for (Mail mail : mails) {
            Map<String, String> fields = new TreeMap<>(mail.fields());
            fields.keySet().retainAll(used);
            packed.add(new Packed(mail.to().address().value(), mail.to().name(), mail.messageId(), fields));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater fast = new Deflater(Deflater.BEST_SPEED);
        try (OutputStream out = new DeflaterOutputStream(bytes, fast)) {
            out.write(JSON.writeValueAsBytes(packed));
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        } finally {
            fast.end();
        }
        return bytes.toByteArray();
    }

    static List<Mail> unpack(byte[] bytes) {
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            List<Mail> mails = new ArrayList<>();
            for (Packed packed : JSON.readValue(in, Packed[].class)) {
                Mailbox to = new Mailbox(new EmailAddress(packed.to()), packed.name());
                mails.add(new Mail(to, packed.id(), packed.fields()));
            }
            return mails;
        } catch (IOException e) {
            throw new StorageException(StorageException.Reason.CORRUPT, "a lot of the outbox cannot be read", e);
        }
    }
}
