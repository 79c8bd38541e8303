package org.azuremail.id;

import java.security.SecureRandom;
import java.util.Base64;

/** A source of unguessable tokens. It is injected, so that simulations can be repeated exactly. */
@FunctionalInterface
public interface IdSource {

    /** Returns the given number of random bytes. */
    byte[] bytes(int count);

    /** Returns 128 random bits as 22 characters of {@code A-Z a-z 0-9 - _}. */
    default String token() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(16));
    }

    /** Returns the system's cryptographic generator. */
    static IdSource secure() {
        SecureRandom random = new SecureRandom();
        return count -> {
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            return bytes;
        };
    }
}
