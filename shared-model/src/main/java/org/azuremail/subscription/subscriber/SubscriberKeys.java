package org.azuremail.subscription.subscriber;

import java.util.Optional;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.list.ListName;
import org.azuremail.storage.KeyEscaper;

/** The keys of a list's shard in the table {@code mailinglist}. */
public final class SubscriberKeys {

    public static final String COUNT = "!count";
    /** A property of the count row: the list is being deleted, and no subscriber is added. */
    public static final String CLOSED = "Closed";

    public static final String IMPORT = "!import:";
    public static final String EMAIL = "email:";
    public static final String GUID = "guid:";
    public static final String LEFT = "left:";
    public static final String WAIT = "wait:";
    public static final String INDEX = "ix:";

    public static final String GREETED = "greet:";

    /** Separates the beginning of a shortened key from the hash of the whole key. */
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

    /** @param sortable the sortable form of a value, or its beginning */
    public static String indexBeginning(String field, String sortable) {
        return INDEX + field + ":" + KeyEscaper.escape(sortable);
    }

    /** Returns the key of the index row of a value. In a key that would be too long, a hash replaces the address. */
    public static String index(String field, String sortable, String foldedAddress) {
        String key = indexBeginning(field, sortable) + ":" + KeyEscaper.escape(foldedAddress);
        return key.length() <= KeyEscaper.MAX_KEY_LENGTH ? key : cut(key);
    }

    /**
     * Returns the folded address at the end of an index row's key; empty if the key was shortened, so that the row
     * contains the address.
     */
    public static Optional<String> indexedAddress(String rowKey) {
        return rowKey.indexOf(CUT) >= 0
                ? Optional.empty()
                : Optional.of(KeyEscaper.unescape(rowKey.substring(rowKey.lastIndexOf(':') + 1)));
    }

    private static String cut(String key) {
        String end = CUT + Base64.encodeBase64URLSafeString(DigestUtils.sha256(key));
        return key.substring(0, KeyEscaper.MAX_KEY_LENGTH - end.length()) + end;
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
