package org.azuremail.transport.smtp;

import java.nio.charset.StandardCharsets;
import org.azuremail.mail.EmailAddress;
import org.azuremail.transport.smtp.SmtpReply.Stage;

/**
 * The sender and recipient of one email, in the form of the commands.
 *
 * @param from stays inside its angle brackets
 * @param to stays inside its angle brackets
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6531">RFC 6531 on letters outside ASCII</a>
 */
record Envelope(String from, String to) {

    Envelope {
        if (!isTransmittable(from) || !isTransmittable(to)) {
            throw new IllegalArgumentException("an address that SMTP cannot carry");
        }
    }

    /**
     * Returns whether a command can contain the address: it has no control characters, and spaces and brackets only in
     * quotes (RFC 5321).
     */
    static boolean isTransmittable(String address) {
        boolean ascii = true;
        boolean apart = false;
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c < ' ' || c == 127) {
                return false;
            }
            ascii &= c < 127;
            apart |= c == ' ' || c == '<' || c == '>';
        }
        return (ascii || StandardCharsets.UTF_8.newEncoder().canEncode(address))
                && (!apart || EmailAddress.parse(address).isPresent());
    }

    static boolean needsUtf8(String address) {
        return address.chars().anyMatch(c -> c >= 127);
    }

    /** Returns whether only a server that offers SMTPUTF8 accepts it. */
    boolean needsUtf8() {
        return needsUtf8(from) || needsUtf8(to);
    }

    String command(Stage step) {
        return switch (step) {
            case MAIL -> "MAIL FROM:<" + from + ">" + (needsUtf8() ? " SMTPUTF8" : "");
            case RCPT -> "RCPT TO:<" + to + ">";
            case DATA -> "DATA";
            case END -> throw new IllegalArgumentException("the end is no command");
        };
    }
}
