package org.azuremail.outbox;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyEscaper;

/**
 * Keys of the outbox, all in one partition: {@code lot:<lot>} contains emails that were stored together,
 * {@code to:<address>:<lot>-<place>} finds one of them. A lot's name begins with a time that counts backwards, so that
 * the newest lot is first in key order.
 */
final class OutboxKeys {

    static final String TABLE = "outbox";
    static final String PARTITION = "mail";
    static final String LOTS = "lot:";

    /** The id of an email of a lot: the lot's name and this number. */
    record Id(String lot, int place) {

        private static final Pattern FORM = Pattern.compile("([0-9]{14}-[0-9a-f]{16})-([0-9]{2})");

        static Optional<Id> parse(String text) {
            Matcher matcher = FORM.matcher(text);
            return matcher.matches()
                    ? Optional.of(new Id(matcher.group(1), Integer.parseInt(matcher.group(2))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return lot + (place < 10 ? "-0" : "-") + place;
        }
    }

    /** A time in milliseconds that is far in the future: 14 digits reach the year 5138. */
    private static final long END_OF_TIME = 99_999_999_999_999L;

    /** The longest address in a key; for longer addresses, the key contains the fingerprint. */
    private static final int MAX_ADDRESS_LENGTH = 400;

    private OutboxKeys() {}

    /**
     * Returns the name of a lot.
     *
     * @param random distinguishes lots of the same millisecond: 6 bytes
     * @param number counts the lots that are stored together; later ones have smaller names
     */
    static String lot(Instant sentAt, byte[] random, int number) {
        return time(sentAt) + "-" + HexFormat.of().formatHex(random)
                + String.format(Locale.ROOT, "%04x", 0xFFFF - number);
    }

    static String row(String lot) {
        return LOTS + lot;
    }

    static String lotOf(String rowKey) {
        return rowKey.substring(LOTS.length());
    }

    /** Returns the first key of the lots that were sent before this instant. */
    static String rowsBefore(Instant instant) {
        return LOTS + time(instant) + "-~";
    }

    /** Returns the beginning of every key that finds an email to this address. */
    static String recipient(EmailAddress address) {
        String escaped = KeyEscaper.escape(address.folded());
        return "to:" + (escaped.length() <= MAX_ADDRESS_LENGTH ? escaped : fingerprint(escaped.getBytes(US_ASCII)))
                + ":";
    }

    /** Returns the id at the end of a recipient's key. */
    static Optional<Id> found(String recipientKey) {
        return Id.parse(recipientKey.substring(recipientKey.lastIndexOf(':') + 1));
    }

    private static String time(Instant instant) {
        return String.format(Locale.ROOT, "%014d", END_OF_TIME - instant.toEpochMilli());
    }

    static String fingerprint(byte[] bytes) {
        return HexFormat.of().formatHex(DigestUtils.sha256(bytes), 0, 16);
    }
}
