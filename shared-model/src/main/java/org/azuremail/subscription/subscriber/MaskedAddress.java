package org.azuremail.subscription.subscriber;

import org.azuremail.mail.EmailAddress;

/**
 * An address as shown to the holder of a link: enough to recognise one's own, but never a whole local part.
 *
 * @param value as {@code st******@*******.edu}
 */
public record MaskedAddress(String value) {

    private static final int SHOWN = 2;

    /** Keeps the first two characters, the {@code @} and everything from the domain's first dot. */
    public static MaskedAddress of(EmailAddress address) {
        String local = address.value().substring(0, address.value().lastIndexOf('@'));
        String domain = address.domain();
        int shown = Math.min(local.startsWith("\"") ? 1 : SHOWN, local.codePointCount(0, local.length()) - 1);
        int kept = local.offsetByCodePoints(0, shown);
        int dot = Math.max(0, domain.indexOf('.'));
        return new MaskedAddress(local.substring(0, kept)
                + "*".repeat(local.length() - kept)
                + "@"
                + "*".repeat(dot)
                + domain.substring(dot));
    }

    @Override
    public String toString() {
        return value;
    }
}
