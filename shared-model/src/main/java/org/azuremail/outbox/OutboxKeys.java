package org.azuremail.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyEscaper;

/**
 * Keys of the outbox, all in one partition: {@code mail:<id>} holds a mail, {@code to:<address>:<id>} finds it. An id
 * begins with the time counted backwards, so that key order is newest first.
 */
final class OutboxKeys {

    static final String TABLE = "outbox";
    static final String PARTITION = "mail";
    static final String MAIL = "mail:";

    /** More milliseconds than there will be for a while: 14 digits reach the year 5138. */
    private static final long END_OF_TIME = 99_999_999_999_999L;

    /** Longer addresses stand in the key by their fingerprint. */
    private static final int LONGEST_ADDRESS = 400;

    private static final Pattern ID = Pattern.compile("[0-9]{14}-[0-9a-f]{18}-[0-9]{4}");

    private OutboxKeys() {}

    /** The id of the mail that stands at this place of a lot; the later, the smaller. */
    static String id(Instant sentAt, String lot, int place) {
        return time(sentAt) + "-" + lot + "-" + String.format("%04d", 9999 - place);
    }

    /** Names a lot among those of the same millisecond. */
    static String lot(byte[] random) {
        return HexFormat.of().formatHex(random);
    }

    /** Whether a text that somebody sent us can be an id. */
    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    static String mail(String id) {
        return MAIL + id;
    }

    /** From here on stand the mails that were sent before this instant. */
    static String mailsBefore(Instant instant) {
        return MAIL + time(instant) + "-~";
    }

    /** The beginning of every key that finds a mail to this address. */
    static String recipient(EmailAddress address) {
        String escaped = KeyEscaper.escape(address.folded());
        return "to:" + (escaped.length() <= LONGEST_ADDRESS ? escaped : fingerprint(escaped)) + ":";
    }

    /** The id in the key of a mail or of a recipient. */
    static String idOf(String rowKey) {
        return rowKey.substring(rowKey.lastIndexOf(':') + 1);
    }

    private static String time(Instant instant) {
        return String.format("%014d", END_OF_TIME - instant.toEpochMilli());
    }

    static String fingerprint(String text) {
        return fingerprint(text.getBytes(StandardCharsets.UTF_8));
    }

    static String fingerprint(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
