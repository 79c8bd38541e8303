package org.azuremail.subscription.subscriber;

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

    public static String waiting(String foldedAddress) {
        return WAIT + KeyEscaper.escape(foldedAddress);
    }
}
