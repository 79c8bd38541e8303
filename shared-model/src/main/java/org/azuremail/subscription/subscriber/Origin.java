package org.azuremail.subscription.subscriber;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a declaration; kept as proof of consent.
 *
 * @param by who made the call: the API key's or the admin's name, or {@code subscriber}
 * @param ip of the person as far as it is known
 * @param wording which text the person agreed to: page or form with its version, if any
 */
public record Origin(
        How how, String by, @Nullable String ip, @Nullable String wording) {

    /** The ways by which a declaration is made. */
    public enum How {
        /** A partner's call. */
        API,
        FORM,
        /** A link of one of our mails, and a press on its page. */
        LINK,
        /** A mail program's one-click request (RFC 8058). */
        ONE_CLICK,
        ADMIN,
        /** A row of an imported file. */
        IMPORT,
        SERVICE
    }

    public static Origin admin(String name) {
        return new Origin(How.ADMIN, name, null, null);
    }

    public static Origin api(String keyName, @Nullable String ip) {
        return new Origin(How.API, keyName, ip, null);
    }

    /** The person's own press on the page behind a link. */
    public static Origin link(@Nullable String ip) {
        return new Origin(How.LINK, "subscriber", ip, null);
    }

    public static Origin oneClick(@Nullable String ip) {
        return new Origin(How.ONE_CLICK, "subscriber", ip, null);
    }
}
