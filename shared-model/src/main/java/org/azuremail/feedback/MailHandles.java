package org.azuremail.feedback;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.id.IdSource;
import org.azuremail.id.InstallationKey;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Writes handles of emails and reads them back: message, shard, range and generation, six bytes for the recipient and eight that
 * prove that this installation wrote it. At most {@value #LONGEST} small letters and digits, so that it survives servers that
 * change the case of an address. Refusing a foreign one costs no storage call once the key is known. Safe for many threads.
 */
public final class MailHandles {

    public static final int LONGEST = 52;

    private static final int PROOF = 8;
    private static final int RECIPIENT = 6;

    private final InstallationKey key;

    public MailHandles(Storage storage, IdSource ids, Time time) {
        this.key = new InstallationKey(storage.tables(), "feedback", ids, time);
    }

    /** Writes the handles of many emails of a range. */
    public Writer writer(RangeKey range) {
        return new Writer(range, mac());
    }

    /** For one range, and for one thread: it makes ready but once what each handle needs. */
    public static final class Writer {

        private final RangeKey range;
        private final Mac mac;
        private final String ref;

        private Writer(RangeKey range, Mac mac) {
            this.range = range;
            this.mac = mac;
            this.ref = range.shard().ref() + " ";
        }

        /** The handle of a recipient's email. */
        public String write(int generation, String rowKey) {
            ByteBuffer bytes = ByteBuffer.allocate(64).put((byte) 1);
            number(bytes, range.shard().ref().value());
            number(bytes, range.shard().shard());
            number(bytes, range.number());
            number(bytes, generation);
            bytes.put(mac.doFinal((ref + rowKey).getBytes(StandardCharsets.UTF_8)), 0, RECIPIENT);
            mac.update(bytes.array(), 0, bytes.position());
            bytes.put(mac.doFinal(), 0, PROOF);
            return new BigInteger(bytes.array(), 0, bytes.position()).toString(Character.MAX_RADIX);
        }
    }

    /** Seven bits a byte, the lowest first. */
    private static void number(ByteBuffer bytes, long value) {
        long rest = value;
        while (rest > 127) {
            bytes.put((byte) ((rest & 127) | 128));
            rest >>>= 7;
        }
        bytes.put((byte) rest);
    }

    /** Empty for what this installation did not write. */
    public Optional<MailHandle> read(String text) {
        if (text.length() > LONGEST || !text.matches("[0-9A-Za-z]{20,}")) {
            return Optional.empty();
        }
        byte[] bytes = new BigInteger(text.toLowerCase(Locale.ROOT), Character.MAX_RADIX).toByteArray();
        int end = bytes.length - PROOF;
        if (end < RECIPIENT + 5 || bytes[0] != 1) {
            return Optional.empty();
        }
        byte[] proof = Arrays.copyOf(mac().doFinal(Arrays.copyOf(bytes, end)), PROOF);
        if (!MessageDigest.isEqual(proof, Arrays.copyOfRange(bytes, end, bytes.length))) {
            key.doubt();
            return Optional.empty();
        }
        ByteBuffer parts = ByteBuffer.wrap(bytes, 1, end - 1);
        MessageRef ref = new MessageRef(number(parts));
        RangeKey range = new RangeKey(new ShardKey(ref, (int) number(parts)), (int) number(parts));
        int generation = (int) number(parts);
        return Optional.of(new MailHandle(range, generation, recipient(bytes, parts.position())));
    }

    private static long number(ByteBuffer bytes) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes.get();
            value |= (next & 127L) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    /** As in the handles of this recipient. */
    long recipient(MessageRef ref, String rowKey) {
        return recipient(mac().doFinal((ref + " " + rowKey).getBytes(StandardCharsets.UTF_8)), 0);
    }

    private static long recipient(byte[] bytes, int at) {
        long value = 0;
        for (int i = at; i < at + RECIPIENT; i++) {
            value = (value << 8) | (bytes[i] & 255);
        }
        return value;
    }

    private Mac mac() {
        return HmacUtils.getInitializedMac(HmacAlgorithms.HMAC_SHA_256, key.bytes());
    }

    /**
     * Names one email to those outside: neither the address nor the SubscriberGUID can be read from it.
     *
     * @param range in which its recipient stands
     * @param recipient a fingerprint of the row key, which only this installation can compute
     */
    public record MailHandle(RangeKey range, int generation, long recipient) {}
}
