package org.azuremail.web.idempotency;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A call that is to be made once.
 *
 * @param owner who calls: the id of an API key. Keys of two owners never meet
 * @param key the hash of what the caller named the call
 * @param request the hash of all that the call says; another request under the same key is refused
 */
public record CallOnce(String owner, String key, String request) {

    /**
     * A call by its parts.
     *
     * @param key as the caller named it
     * @param request method, address and body
     */
    public static CallOnce of(String owner, String key, byte[] request) {
        return new CallOnce(owner, hash(key.getBytes(StandardCharsets.UTF_8)), hash(request));
    }

    private static String hash(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /** For bodies that stream through. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
