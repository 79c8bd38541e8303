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
 * Writes and reads the handles of emails. A handle contains message, shard, range and generation, six bytes for the
 * recipient, and eight bytes that prove that this installation wrote it. It has at most {@value #MAX_LENGTH} lower-case
 * letters and digits, so it survives servers that change the case of an address. Once the key is known, refusing a
 * foreign handle costs no storage call. Safe for use from many threads.
 */
public final class MailHandles {

    public static final int MAX_LENGTH = 52;

    private static final int PROOF = 8;
    private static final int RECIPIENT = 6;

    private final InstallationKey key;

    public MailHandles(Storage storage, IdSource ids, Time time) {
        this.key = new InstallationKey(storage.tables(), "feedback", ids, time);
    }

    /** Returns a writer for the handles of many emails of a range. */
    public Writer writer(RangeKey range) {
        return new Writer(range, mac());
    }

    /** Writes handles of one range in one thread; it prepares only once what all handles need. */
    public static final class Writer {

        private final RangeKey range;
        private final Mac mac;
        private final String ref;

        private Writer(RangeKey range, Mac mac) {
            this.range = range;
            this.mac = mac;
            this.ref = range.shard().ref() + " ";
        }

        /** Returns the handle of a recipient's email. */
        public String write(int generation, String rowKey) {
            ByteBuffer bytes = ByteBuffer.allocate(64).put((byte) 1);
            varint(bytes, range.shard().ref().value());
            varint(bytes, range.shard().shard());
            varint(bytes, range.number());
            varint(bytes, generation);
            bytes.put(mac.doFinal((ref + rowKey).getBytes(StandardCharsets.UTF_8)), 0, RECIPIENT);
            mac.update(bytes.array(), 0, bytes.position());
            bytes.put(mac.doFinal(), 0, PROOF);
            return new BigInteger(bytes.array(), 0, bytes.position()).toString(Character.MAX_RADIX);
        }
    }

    /** Writes a number, with seven bits in each byte, the lowest first. */
    private static void varint(ByteBuffer bytes, long value) {
        long rest = value;
        while (rest > 127) {
            bytes.put((byte) ((rest & 127) | 128));
            rest >>>= 7;
        }
        bytes.put((byte) rest);
    }

    /** Reads a handle; empty if this installation did not write it. */
    public Optional<MailHandle> read(String text) {
        if (text.length() > MAX_LENGTH || !text.matches("[0-9A-Za-z]{20,}")) {
            return Optional.empty();
        }
        byte[] bytes = new BigInteger(text.toLowerCase(Locale.ROOT), Character.MAX_RADIX).toByteArray();
        int end = bytes.length - PROOF;
        if (end < RECIPIENT + 5 || bytes[0] != 1) {
            return Optional.empty();
        }
        byte[] proof = Arrays.copyOf(mac().doFinal(Arrays.copyOf(bytes, end)), PROOF);
        if (!MessageDigest.isEqual(proof, Arrays.copyOfRange(bytes, end, bytes.length))) {
            key.refreshIfStale();
            return Optional.empty();
        }
        ByteBuffer parts = ByteBuffer.wrap(bytes, 1, end - 1);
        MessageRef ref = new MessageRef(varint(parts));
        RangeKey range = new RangeKey(new ShardKey(ref, (int) varint(parts)), (int) varint(parts));
        int generation = (int) varint(parts);
        return Optional.of(new MailHandle(range, generation, recipient(bytes, parts.position())));
    }

    private static long varint(ByteBuffer bytes) {
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

    /** Returns the fingerprint of this recipient, as in the recipient's handles. */
    long recipient(MessageRef ref, String rowKey) {
        return recipient(mac().doFinal((ref + " " + rowKey).getBytes(StandardCharsets.UTF_8)), 0);
    }

    private static long recipient(byte[] bytes, int at) {
        return new BigInteger(1, bytes, at, RECIPIENT).longValue();
    }

    private Mac mac() {
        return HmacUtils.getInitializedMac(HmacAlgorithms.HMAC_SHA_256, key.bytes());
    }

    /**
     * The name of one email in handles. It reveals neither the address nor the SubscriberGUID.
     *
     * @param range the range of its recipient
     * @param recipient a fingerprint of the row key, which only this installation can compute
     */
    public record MailHandle(RangeKey range, int generation, long recipient) {}
}
