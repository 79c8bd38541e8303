package org.azuremail.feedback;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.delivery.range.Feedback;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.feedback.FeedbackRecorder.MailEvent;

/**
 * Reads the events that SendGrid posts. Events that do not concern a delivery are ignored.
 *
 * @see <a href="https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event">SendGrid's events</a>
 */
public final class SendGridEventReader {

    /** The name of the custom argument that contains the handle. */
    public static final String HANDLE = "azuremail";

    private SendGridEventReader() {}

    /** @param event the event's fields, as texts */
    public static Optional<MailEvent> read(Map<String, String> event, MailHandles handles) {
        String type = event.getOrDefault("event", "");
        Optional<Kind> kind = kind(type, event);
        boolean accepted = type.equals("processed") || type.equals("delivered");
        if (!accepted && kind.isEmpty()) {
            return Optional.empty();
        }
        String status = event.getOrDefault("status", "");
        String reason = event.getOrDefault("reason", "");
        return handles.read(event.getOrDefault(HANDLE, "")).flatMap(handle -> at(event)
                .map(at -> new MailEvent(
                        handle,
                        kind.map(known -> new Feedback(known, at, status, reason, Feedback.EVENTS))
                                .orElse(null),
                        event.getOrDefault("sg_message_id", ""))));
    }

    /** Returns the time of the event, which is in seconds. Years after 9999 are ignored. */
    private static Optional<Instant> at(Map<String, String> event) {
        String seconds = event.getOrDefault("timestamp", "");
        return seconds.matches("\\d{9,11}")
                ? Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)))
                : Optional.empty();
    }

    private static Optional<Kind> kind(String type, Map<String, String> event) {
        String reason = event.getOrDefault("reason", "");
        return Optional.ofNullable(
                switch (type) {
                    case "spamreport" -> Kind.COMPLAINT;
                    // SendGrid calls a refusal that does not concern the address "blocked".
                    case "bounce" ->
                        event.getOrDefault("type", "").equals("blocked")
                                ? Kind.BLOCKED
                                : BounceClassifier.classify(event.getOrDefault("status", ""), reason);
                    case "dropped" -> dropped(reason);
                    default -> null;
                });
    }

    /**
     * Returns the kind of a dropped email, by the reasons that SendGrid documents. Other reasons concern the account,
     * the content, or an unsubscription that only SendGrid knows.
     */
    private static Kind dropped(String reason) {
        return switch (reason.toLowerCase(Locale.ROOT).replace(' ', '-')) {
            case "bounced-address", "invalid" -> Kind.HARD_BOUNCE;
            case "spam-reporting-address" -> Kind.COMPLAINT;
            default -> Kind.BLOCKED;
        };
    }

    /**
     * Checks that SendGrid sent a request of its event webhook: ECDSA over the timestamp and the bytes of the body.
     *
     * @see <a
     *     href="https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features">
     *     SendGrid on the signed event webhook</a>
     */
    public static final class EventSignature {

        private final PublicKey key;

        /**
         * @param verificationKey the key as SendGrid shows it
         * @throws IllegalArgumentException if the key is invalid
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

        /** @param signature in Base64; other texts are invalid signatures */
        public boolean verify(String timestamp, byte[] body, String signature) {
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
}
