package org.azuremail.subscription.subscriber;

import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.azuremail.id.IdSource;

/**
 * The SubscriberGUID: the secret in a subscriber's links. It begins with the subscriber's shard, so a look-up is one
 * point read, and contains at least 122 random bits after that.
 *
 * @param value {@code <shard>.<token>}; the token is 22 characters of {@code A-Z a-z 0-9 - _}, or 36 hexadecimal digits
 *     and hyphens, as in a UUID
 */
public record SubscriberGuid(String value) {

    /** The GUID in the links of test emails and previews; no subscriber has it. */
    public static final SubscriberGuid NOBODY = new SubscriberGuid("0." + "0".repeat(22));

    private static final int MAX_SHARD_DIGITS = 3;
    private static final int TOKEN = 22;
    private static final int UUID = 36;

    public SubscriberGuid {
        if (!isGuid(value)) {
            throw new IllegalArgumentException("not a SubscriberGUID");
        }
    }

    /** Returns a new GUID with 128 random bits. */
    public static SubscriberGuid next(int shard, IdSource ids) {
        return new SubscriberGuid(shard + "." + ids.token());
    }

    public static Optional<SubscriberGuid> parse(String text) {
        return isGuid(text) ? Optional.of(new SubscriberGuid(text)) : Optional.empty();
    }

    /**
     * Returns a new GUID for one of many subscribers that are stored together. GUIDs with the same number sort next to
     * each other, and otherwise in the order of the numbers, so the storage writes them in one place. After four
     * digits, it also has 128 random bits.
     *
     * @param number only its lowest 16 bits count
     */
    public static SubscriberGuid inOrder(int shard, long number, IdSource ids) {
        HexFormat hex = HexFormat.of();
        return new SubscriberGuid(shard + "." + hex.toHexDigits((short) number) + hex.formatHex(ids.bytes(16)));
    }

    /** Checks character by character, since a message to a million recipients reads a million of them. */
    private static boolean isGuid(String text) {
        int dot = text.indexOf('.');
        int length = text.length() - dot - 1;
        if (dot < 1 || dot > MAX_SHARD_DIGITS || (length != TOKEN && length != UUID)) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (i != dot && !digit && (i < dot || !isTokenLetter(c, length))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTokenLetter(char c, int length) {
        return length == UUID
                ? (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-'
                : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    }

    /** Returns the shard of the list that holds the row. */
    public int shard() {
        return Integer.parseInt(value.substring(0, value.indexOf('.')));
    }

    @Override
    public String toString() {
        return value;
    }
}
