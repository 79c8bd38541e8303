package org.azuremail.listmail;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for texts that nobody can turn back into them. */
final class Fingerprint {

    private static final int BYTES = 16;

    private Fingerprint() {}

    /** 32 hexadecimal digits; another order or another division of the texts gives another result. */
    static String of(Object... texts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Object text : texts) {
                byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
                digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
                digest.update((byte) ':');
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
