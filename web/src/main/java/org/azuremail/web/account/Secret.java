package org.azuremail.web.account;

import java.util.Base64;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.id.IdSource;

/**
 * A random text that gives access to its holder: a session, a one-time link, a key. Only its hash is stored; a
 * plain SHA-256 is enough because the text cannot be guessed.
 *
 * @param text the text that the holder presents
 */
public record Secret(String text) {

    private static final int BYTES = 32;

    /** Returns a new secret with 256 random bits. */
    public static Secret next(IdSource ids) {
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(ids.bytes(BYTES)));
    }

    /** Returns the hash under which the secret is stored: 64 hexadecimal digits. */
    public String hash() {
        return DigestUtils.sha256Hex(text);
    }

    @Override
    public String toString() {
        return "Secret[…]";
    }
}
