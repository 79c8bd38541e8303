package org.azuremail.subscription;

import org.azuremail.list.ListName;
import org.azuremail.storage.KeyEscaper;

/** The keys of a list's shard in the table {@code mailinglist}. */
final class SubscriberKeys {

    static final String COUNT = "!count";
    /** In the count row: the list is being deleted, and nobody is added. */
    static final String CLOSED = "Closed";

    static final String IMPORT = "!import:";
    static final String EMAIL = "email:";
    static final String GUID = "guid:";
    static final String LEFT = "left:";
    static final String WAIT = "wait:";

    private SubscriberKeys() {}

    static String partition(ListName list, int shard) {
        return list.value() + "." + shard;
    }

    static String email(String foldedAddress) {
        return EMAIL + KeyEscaper.escape(foldedAddress);
    }

    static String guid(SubscriberGuid guid) {
        return GUID + KeyEscaper.escape(guid.value());
    }

    static String left(String foldedAddress) {
        return LEFT + KeyEscaper.escape(foldedAddress);
    }

    static String waiting(String foldedAddress) {
        return WAIT + KeyEscaper.escape(foldedAddress);
    }
}
