package org.azuremail.subscription.subscriber;

import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a declaration, kept as proof of consent.
 *
 * @param by the caller: the name of the API key or the admin, or {@code subscriber}
 * @param ip the person's IP address, if known
 * @param wording the text of the consent, which is the page or form with its version, if any; for a departure, a
 *     return, a suppression or a release, the stored reason
 */
public record Origin(
        Channel how,
        String by,
        @Nullable String ip,
        @Nullable String wording) {

    public enum Channel {
        API,
        FORM,
        /** A button on the page of a link in an email of this service. */
        LINK,
        /** A mail program's one-click request (RFC 8058). */
        ONE_CLICK,
        ADMIN,
        IMPORT,
        SERVICE
    }

    public static Origin admin(String name) {
        return new Origin(Channel.ADMIN, name, null, null);
    }

    public static Origin api(String keyName, @Nullable String ip) {
        return new Origin(Channel.API, keyName, ip, null);
    }

    /** Returns the origin of a click on the button of a link's page. */
    public static Origin link(@Nullable String ip) {
        return new Origin(Channel.LINK, "subscriber", ip, null);
    }

    /** Returns a copy with the person's reason; {@link Reason#NONE} for a person who gave none. */
    public Origin withReason(Reason reason) {
        return reason.none() ? this : new Origin(how, by, ip, reason.stored());
    }

    public static Origin oneClick(@Nullable String ip) {
        return new Origin(Channel.ONE_CLICK, "subscriber", ip, null);
    }
}
