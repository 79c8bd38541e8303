package org.azuremail.subscription.subscriber;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.storage.KeyEscaper;

/** The keys of a list's shard in the table {@code mailinglist}. */
public final class SubscriberKeys {

    public static final String COUNT = "!count";
    /** In the count row: the list is being deleted, and nobody is added. */
    public static final String CLOSED = "Closed";

    public static final String IMPORT = "!import:";
    public static final String EMAIL = "email:";
    public static final String GUID = "guid:";
    public static final String LEFT = "left:";
    public static final String WAIT = "wait:";
    public static final String INDEX = "ix:";

    public static final String GREETED = "greet:";

    /** Ends a key that would be too long, before the hash of the whole. */
    private static final char CUT = '~';

    private SubscriberKeys() {}

    public static String partition(ListName list, int shard) {
        return list.value() + "." + shard;
    }

    public static String email(String foldedAddress) {
        return EMAIL + KeyEscaper.escape(foldedAddress);
    }

    public static String guid(SubscriberGuid guid) {
        return GUID + KeyEscaper.escape(guid.value());
    }

    public static String left(String foldedAddress) {
        return LEFT + KeyEscaper.escape(foldedAddress);
    }

    /** @param sortable form of a value, or how it begins; then nothing follows */
    public static String indexBeginning(String field, String sortable) {
        return INDEX + field + ":" + KeyEscaper.escape(sortable);
    }

    /** The index row of a value. A key that would be too long ends with a hash instead of the address. */
    public static String index(String field, String sortable, String foldedAddress) {
        String key = indexBeginning(field, sortable) + ":" + KeyEscaper.escape(foldedAddress);
        return key.length() <= KeyEscaper.MAX_KEY_LENGTH ? key : cut(key);
    }

    /** The folded address at the end of the key of an index row; empty when the key was cut, and the row holds it. */
    public static Optional<String> indexedAddress(String rowKey) {
        return rowKey.indexOf(CUT) >= 0
                ? Optional.empty()
                : Optional.of(KeyEscaper.unescape(rowKey.substring(rowKey.lastIndexOf(':') + 1)));
    }

    private static String cut(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII));
            String end = CUT + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
            return key.substring(0, KeyEscaper.MAX_KEY_LENGTH - end.length()) + end;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the beginning of the row keys of all greetings that a person got. */
    public static String greeted(String foldedAddress) {
        return GREETED + KeyEscaper.escape(foldedAddress) + ":";
    }

    public static String greeted(String foldedAddress, String greeting) {
        return greeted(foldedAddress) + greeting;
    }

    public static String waiting(String foldedAddress) {
        return WAIT + KeyEscaper.escape(foldedAddress);
    }
}
