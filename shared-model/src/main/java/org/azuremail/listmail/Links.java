package org.azuremail.listmail;

import java.net.URI;
import org.azuremail.list.ListName;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;

/**
 * The links of a subscriber. A GUID, a seal and a list's name hold only characters that a query takes as they are. Nothing
 * happens on a GET of either; the unsubscribe link is also what a mail program POSTs to (RFC 8058).
 */
public final class Links {

    private Links() {}

    public static String unsubscribe(URI publicUrl, SubscriberGuid guid, ListName list) {
        return publicUrl + "/unsubscribe?id=" + guid + "&listName=" + list;
    }

    /** The page on which subscribers see and change what is known of them. */
    public static String preferences(URI publicUrl, SubscriberGuid guid, ListName list) {
        return publicUrl + "/preferences?id=" + guid + "&listName=" + list;
    }

    public static String confirm(URI publicUrl, ConfirmationLink link, ListName list) {
        return publicUrl + "/subscribe?id=" + link.id() + "&listName=" + list;
    }

    /** The list's logo; its name holds only characters that a path takes as they are. */
    public static String logo(URI publicUrl, String logo) {
        return publicUrl + "/logo/" + logo;
    }
}
