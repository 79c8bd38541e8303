package org.azuremail.subscription.confirmation;

import java.util.Optional;
import org.azuremail.subscription.subscriber.SubscriberGuid;

/**
 * The {@code id} in a confirmation's link: the GUID, by which the subscriber is found, and a seal, which alone
 * confirms. Mails of earlier versions carry the GUID alone; such a link confirms nobody.
 *
 * @param guid whose link it is; it stays the same for as long as the subscriber's row is not moved
 * @param seal 22 characters of {@code A-Z a-z 0-9 - _}; empty in a link of an earlier version
 */
public record ConfirmationLink(SubscriberGuid guid, String seal) {

    /** The link's {@code id} if it reads like one, whether or not we made it. */
    public static Optional<ConfirmationLink> parse(String text) {
        int dot = text.lastIndexOf('.');
        return dot == text.indexOf('.')
                ? SubscriberGuid.parse(text).map(guid -> new ConfirmationLink(guid, ""))
                : SubscriberGuid.parse(text.substring(0, dot))
                        .map(guid -> new ConfirmationLink(guid, text.substring(dot + 1)));
    }

    public String id() {
        return guid + "." + seal;
    }
}
