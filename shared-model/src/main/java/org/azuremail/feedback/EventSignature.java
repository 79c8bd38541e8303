package org.azuremail.feedback;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * Checks that SendGrid sent a request of its event webhook: ECDSA over the timestamp and the bytes of the body.
 *
 * @see
 *     <a href="https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features">
 *     SendGrid on the signed event webhook</a>
 */
public final class EventSignature {

    private final PublicKey key;

    /**
     * @param verificationKey as SendGrid shows it
     * @throws IllegalArgumentException when it is none
     */
    public EventSignature(String verificationKey) {
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(verificationKey.strip());
            this.key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException none) {
            throw new IllegalArgumentException(
                    "the verification key of SendGrid's event webhook begins with MFkwEwYHKoZIzj0CAQYI", none);
        }
    }

    /** @param signature in Base64; anything else is no signature */
    public boolean holds(String timestamp, byte[] body, String signature) {
        try {
            Signature check = Signature.getInstance("SHA256withECDSA");
            check.initVerify(key);
            check.update(timestamp.getBytes(StandardCharsets.UTF_8));
            check.update(body);
            return check.verify(Base64.getDecoder().decode(signature));
        } catch (GeneralSecurityException | IllegalArgumentException none) {
            return false;
        }
    }
}
