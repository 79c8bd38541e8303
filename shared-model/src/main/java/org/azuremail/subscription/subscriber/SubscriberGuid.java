package org.azuremail.subscription.subscriber;

import java.util.HexFormat;
import java.util.Optional;
import org.azuremail.id.IdSource;

/**
 * The SubscriberGUID: the secret that stands in a subscriber's links. It begins with the shard that holds the
 * subscriber, so that the look-up is one point read, and carries at least 122 random bits behind it.
 *
 * @param value {@code <shard>.<token>}; the token is 22 characters of {@code A-Z a-z 0-9 - _}, or 36 as in a UUID, in
 *     whatever order
 */
public record SubscriberGuid(String value) {

    /** Stands in the links of test emails and previews; no subscriber has it. */
    public static final SubscriberGuid NOBODY = new SubscriberGuid("0." + "0".repeat(22));

    private static final int MOST_SHARD_DIGITS = 3;
    private static final int TOKEN = 22;
    private static final int UUID = 36;

    public SubscriberGuid {
        if (!isGuid(value)) {
            throw new IllegalArgumentException("not a SubscriberGUID");
        }
    }

    /** A new one, with 128 random bits. */
    public static SubscriberGuid next(int shard, IdSource ids) {
        return new SubscriberGuid(shard + "." + ids.token());
    }

    public static Optional<SubscriberGuid> parse(String text) {
        return isGuid(text) ? Optional.of(new SubscriberGuid(text)) : Optional.empty();
    }

    /**
     * One of many that are stored together: those with the same number sort side by side, behind those with a lower one, so that
     * the storage writes them in one place. It has 128 random bits too, behind four digits.
     *
     * @param number its lowest 16 bits count
     */
    public static SubscriberGuid inOrder(int shard, long number, IdSource ids) {
        HexFormat hex = HexFormat.of();
        return new SubscriberGuid(shard + "." + hex.toHexDigits((short) number) + hex.formatHex(ids.bytes(16)));
    }

    /** Looked at character by character: a million of them are read for a message to a million. */
    private static boolean isGuid(String text) {
        int dot = text.indexOf('.');
        if (dot < 1 || dot > MOST_SHARD_DIGITS || !allDigits(text, dot)) {
            return false;
        }
        int token = text.length() - dot - 1;
        return (token == TOKEN && isToken(text, dot + 1)) || (token == UUID && isUuid(text, dot + 1));
    }

    private static boolean allDigits(String text, int end) {
        for (int i = 0; i < end; i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isToken(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isDigit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '-' && c != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isUuid(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F') && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** The shard of the list that holds the row. */
    public int shard() {
        return Integer.parseInt(value.substring(0, value.indexOf('.')));
    }

    @Override
    public String toString() {
        return value;
    }
}
