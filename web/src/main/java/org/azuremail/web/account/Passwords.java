package org.azuremail.web.account;

import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Which passwords are taken, and how they are kept. bcrypt reads only the first 72 bytes and stops at a zero byte, so it
 * is given the Base64 of the password's SHA-256: every character of a long password counts.
 */
final class Passwords {

    static final int MIN_LENGTH = 12;
    static final int MAX_LENGTH = 256;

    private static final int FEWEST_DIFFERENT_CHARACTERS = 5;
    private static final String SCHEME = "sha256-bcrypt:";

    private final BCryptPasswordEncoder bcrypt;
    private final String nobodysHash;

    Passwords(int strength) {
        bcrypt = new BCryptPasswordEncoder(strength);
        nobodysHash = hash("nobody has this password");
    }

    /** What is wrong with a new password; empty when it may be used. */
    static Optional<String> problem(String password, @Nullable EmailAddress owner) {
        String lower = password.toLowerCase(Locale.ROOT);
        if (password.length() < MIN_LENGTH) {
            return Optional.of("Use at least " + MIN_LENGTH + " characters. A short sentence is a good password.");
        }
        if (password.length() > MAX_LENGTH) {
            return Optional.of("Use at most " + MAX_LENGTH + " characters.");
        }
        if (password.chars().distinct().count() < FEWEST_DIFFERENT_CHARACTERS
                || (owner != null && resembles(lower, owner.folded()))
                || lower.startsWith("password")
                || "1234567890123456789012345678901234567890".contains(lower)) {
            return Optional.of("This password is easy to guess. A few words that do not belong together are better.");
        }
        return Optional.empty();
    }

    private static boolean resembles(String password, String owner) {
        String name = owner.substring(0, owner.lastIndexOf('@'));
        return password.contains(owner)
                || (name.length() > 3 && password.startsWith(name) && password.length() < name.length() + 6);
    }

    String hash(String password) {
        return SCHEME + bcrypt.encode(shortened(password));
    }

    boolean matches(String password, String hash) {
        return hash.startsWith(SCHEME) && bcrypt.matches(shortened(password), hash.substring(SCHEME.length()));
    }

    /** Takes as long as a real check, so that the time of an answer does not tell which accounts exist. */
    void pretend(String password) {
        matches(password, nobodysHash);
    }

    private static String shortened(String password) {
        return Base64.getEncoder().encodeToString(Secret.sha256(password));
    }
}
