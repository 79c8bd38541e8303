package org.azuremail.transport.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs in with a password.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4954">RFC 4954</a>
 */
final class SmtpSignIn {

    private static final int GO_ON = 334;

    private final SmtpWire wire;
    private final String user;
    private final String password;

    SmtpSignIn(SmtpWire wire, String user, String password) {
        this.wire = wire;
        this.user = user;
        this.password = password;
    }

    /** Returns whether one of these ways is ours. */
    static boolean knows(Set<String> mechanisms) {
        return mechanisms.contains("PLAIN") || mechanisms.contains("LOGIN") || mechanisms.contains("CRAM-MD5");
    }

    /** @return the last answer: positive when we are in */
    ServerReply run(Set<String> mechanisms) throws IOException {
        if (mechanisms.contains("PLAIN")) {
            return wire.askSecretly("AUTH PLAIN ", base64("\0" + user + "\0" + password));
        }
        return mechanisms.contains("LOGIN") ? login() : cramMd5();
    }

    private ServerReply login() throws IOException {
        ServerReply reply = wire.ask("AUTH LOGIN");
        if (reply.code() == GO_ON) {
            reply = wire.ask(base64(user));
        }
        return reply.code() == GO_ON ? wire.askSecretly("", base64(password)) : reply;
    }

    /** RFC 2195: the password itself does not travel. */
    private ServerReply cramMd5() throws IOException {
        ServerReply reply = wire.ask("AUTH CRAM-MD5");
        if (reply.code() != GO_ON) {
            return reply;
        }
        byte[] challenge;
        try {
            challenge = Base64.getDecoder().decode(reply.lines().get(0).strip());
        } catch (IllegalArgumentException notBase64) {
            throw new IOException("the server asks for a password in no known way", notBase64);
        }
        return wire.askSecretly("", base64(user + " " + HexFormat.of().formatHex(digest(challenge))));
    }

    private byte[] digest(byte[] challenge) {
        try {
            Mac mac = Mac.getInstance("HmacMD5");
            mac.init(new SecretKeySpec(password.getBytes(UTF_8), "HmacMD5"));
            return mac.doFinal(challenge);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
