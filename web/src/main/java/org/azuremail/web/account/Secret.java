package org.azuremail.web.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import org.azuremail.id.IdSource;

/**
 * A random text that gives access to its holder: a session, a one-time link, a key. Only its hash is stored; a
 * plain SHA-256 is enough because there is nothing to guess.
 *
 * @param text what the holder presents
 */
public record Secret(String text) {

    private static final int BYTES = 32;

    /** A new one, with 256 random bits. */
    public static Secret next(IdSource ids) {
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(ids.bytes(BYTES)));
    }

    /** The hash that is stored, and by which the secret is found again: 64 hexadecimal digits. */
    public String hash() {
        return HexFormat.of().formatHex(sha256(text));
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "Secret[…]";
    }
}
