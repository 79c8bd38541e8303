package org.azuremail.listmail;

import java.net.URI;
import org.azuremail.list.ListName;
import org.azuremail.subscription.ConfirmationSeals.ConfirmationLink;
import org.azuremail.subscription.subscriber.SubscriberGuid;

/**
 * The links of a subscriber. A GUID, a seal and a list's name contain only characters that need no escaping in a query.
 * A GET of any link changes nothing; mail programs also send a POST to the unsubscribe link (RFC 8058).
 */
public final class Links {

    private Links() {}

    public static String unsubscribe(URI publicUrl, SubscriberGuid guid, ListName list) {
        return publicUrl + "/unsubscribe?id=" + guid + "&listName=" + list;
    }

    /** Returns the link to the page on which subscribers see and change their data. */
    public static String preferences(URI publicUrl, SubscriberGuid guid, ListName list) {
        return publicUrl + "/preferences?id=" + guid + "&listName=" + list;
    }

    public static String confirm(URI publicUrl, ConfirmationLink link, ListName list) {
        return publicUrl + "/subscribe?id=" + link.id() + "&listName=" + list;
    }

    /** Returns the link to the list's logo, whose name contains only characters that need no escaping in a path. */
    public static String logo(URI publicUrl, String logo) {
        return publicUrl + "/logo/" + logo;
    }
}
