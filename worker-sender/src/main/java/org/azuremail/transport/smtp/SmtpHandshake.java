package org.azuremail.transport.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpVerdict.Closed;

/**
 * The beginning of a conversation: greeting, EHLO or HELO, encryption, signing in with a password.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4954">RFC 4954 on signing in</a>
 */
final class SmtpHandshake {

    /** The code by which the server asks for the next step of signing in. */
    private static final int NEXT_STEP = 334;

    private final SmtpWire wire;
    private final SmtpProperties properties;
    private final String localName;
    private SmtpCapabilities capabilities = SmtpCapabilities.NONE;
    private boolean passwordRefused;

    SmtpHandshake(SmtpWire wire, SmtpProperties properties, String localName) {
        this.wire = wire;
        this.properties = properties;
        this.localName = localName;
    }

    SmtpCapabilities server() {
        return capabilities;
    }

    /** Returns whether {@link #run} ended because the server refused the user name or the password. */
    boolean credentialsRefused() {
        return passwordRefused;
    }

    /**
     * @return why no email can be handed over; empty if it can
     * @throws IOException when the connection broke, could not be encrypted, or no SMTP server is at its other end
     */
    Optional<Closed> run() throws IOException {
        Optional<Closed> no = refused(wire.greeting());
        if (no.isEmpty()) {
            no = hello();
        }
        if (no.isEmpty() && !properties.implicitTls() && properties.tlsWanted()) {
            no = encrypt();
        }
        // A server that offers no way to sign in may take emails without it.
        return no.isEmpty()
                        && properties.signsIn()
                        && !capabilities.mechanisms().isEmpty()
                ? signIn()
                : no;
    }

    private Optional<Closed> hello() throws IOException {
        ServerReply reply = wire.ask("EHLO " + localName);
        if (reply.isPositive()) {
            capabilities = SmtpCapabilities.of(reply.lines());
            return Optional.empty();
        }
        return reply.code() / 100 == 5 ? refused(wire.ask("HELO " + localName)) : refused(reply);
    }

    private Optional<Closed> encrypt() throws IOException {
        if (!capabilities.starttls()) {
            return properties.tlsRequired()
                    ? Optional.of(new Closed(Kind.PAUSE, SmtpReason.SMTP_NO_STARTTLS, ""))
                    : Optional.empty();
        }
        ServerReply reply = wire.ask("STARTTLS");
        if (!reply.isPositive()) {
            return Optional.of(new Closed(kind(reply), SmtpReason.SMTP_NO_TLS, reply.text()));
        }
        wire.encrypt();
        capabilities = SmtpCapabilities.NONE;
        return hello();
    }

    private static Optional<Closed> refused(ServerReply reply) {
        return reply.isPositive()
                ? Optional.empty()
                : Optional.of(new Closed(kind(reply), SmtpReason.SMTP_CONNECTION_REFUSED, reply.text()));
    }

    private static Kind kind(ServerReply refusal) {
        return refusal.code() / 100 == 5 ? Kind.PAUSE : Kind.WAIT;
    }

    private Optional<Closed> signIn() throws IOException {
        Set<String> offered = capabilities.mechanisms();
        if (Collections.disjoint(offered, Set.of("PLAIN", "LOGIN", "CRAM-MD5"))) {
            return Optional.of(new Closed(Kind.PAUSE, SmtpReason.SMTP_NO_SIGN_IN, String.join(" ", offered)));
        }
        String user = Objects.requireNonNull(properties.username());
        String password = Objects.requireNonNullElse(properties.password(), "");
        ServerReply reply = offered.contains("PLAIN")
                ? wire.askWithSecret("AUTH PLAIN ", base64("\0" + user + "\0" + password))
                : offered.contains("LOGIN") ? login(user, password) : cramMd5(user, password);
        if (reply.isPositive()) {
            return Optional.empty();
        }
        if (reply.code() == NEXT_STEP) {
            throw new SmtpProtocolException(SmtpReason.SMTP_AFTER_PASSWORD);
        }
        passwordRefused = reply.code() / 100 == 5;
        return Optional.of(
                reply.code() / 100 == 4
                        ? new Closed(Kind.WAIT, SmtpReason.SMTP_PASSWORD_UNCHECKED, reply.text())
                        : new Closed(Kind.PAUSE, SmtpReason.SMTP_PASSWORD_REFUSED, reply.text()));
    }

    private ServerReply login(String user, String password) throws IOException {
        ServerReply reply = wire.ask("AUTH LOGIN");
        if (reply.code() == NEXT_STEP) {
            reply = wire.ask(base64(user));
        }
        return reply.code() == NEXT_STEP ? wire.askWithSecret("", base64(password)) : reply;
    }

    /** Signs in by CRAM-MD5 (RFC 2195), which does not transmit the password itself. */
    private ServerReply cramMd5(String user, String password) throws IOException {
        ServerReply reply = wire.ask("AUTH CRAM-MD5");
        if (reply.code() != NEXT_STEP) {
            return reply;
        }
        try {
            byte[] challenge = Base64.getDecoder().decode(reply.lines().get(0).strip());
            Mac mac = Mac.getInstance("HmacMD5");
            mac.init(new SecretKeySpec(password.getBytes(UTF_8), "HmacMD5"));
            return wire.askWithSecret("", base64(user + " " + HexFormat.of().formatHex(mac.doFinal(challenge))));
        } catch (IllegalArgumentException notBase64) {
            throw new SmtpProtocolException(SmtpReason.SMTP_CHALLENGE);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
