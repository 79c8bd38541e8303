package org.azuremail.work.signal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.azuremail.id.InstallationKey;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Proves that a letter was sent recently by a process of this installation: an HMAC-SHA256 over its time and body. */
record SignalSignature(InstallationKey key, Time time) {

    static final String TIME_HEADER = "X-AzureMail-Time";
    static final String SEAL_HEADER = "X-AzureMail-Seal";

    /** The greatest age of a letter. Two clocks may differ by a minute, and delivery takes some seconds. */
    static final Duration WINDOW = Duration.ofSeconds(75);

    private static final String ALGORITHM = "HmacSHA256";

    /** Returns the value of the time header. */
    String now() {
        return time.instant().toString();
    }

    String of(String sentAt, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.bytes(), ALGORITHM));
            mac.update((sentAt + "\n").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    boolean verify(@Nullable String sentAt, @Nullable String seal, byte[] body) {
        if (sentAt == null || seal == null || !recent(sentAt)) {
            return false;
        }
        if (same(of(sentAt, body), seal)) {
            return true;
        }
        key.refreshIfStale();
        return same(of(sentAt, body), seal);
    }

    private boolean recent(String sentAt) {
        try {
            Duration age =
                    Duration.between(Instant.parse(sentAt), time.instant()).abs();
            return age.compareTo(WINDOW) <= 0;
        } catch (java.time.DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    /** Compares in constant time. */
    private static boolean same(String right, String given) {
        return MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
