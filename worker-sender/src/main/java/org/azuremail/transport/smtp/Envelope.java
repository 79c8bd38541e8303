package org.azuremail.transport.smtp;

import org.azuremail.mail.EmailAddress;
import org.azuremail.transport.smtp.SmtpReply.Stage;

/**
 * Sender and recipient of one mail, as commands carry them.
 *
 * @param from stays inside its angle brackets
 * @param to likewise
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6531">RFC 6531 on letters outside ASCII</a>
 */
record Envelope(String from, String to) {

    Envelope {
        if (!carries(from) || !carries(to)) {
            throw new IllegalArgumentException("an address that SMTP cannot carry");
        }
    }

    /** Returns whether a command can hold it: no control character, and blanks and brackets only quoted, as RFC 5321 has them. */
    static boolean carries(String address) {
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            boolean half = Character.isSurrogate(c) && !paired(address, i);
            boolean apart = c == ' ' || c == '<' || c == '>';
            if (half
                    || c < ' '
                    || c == 127
                    || (apart && EmailAddress.parse(address).isEmpty())) {
                return false;
            }
        }
        return true;
    }

    private static boolean paired(String address, int i) {
        return Character.isHighSurrogate(address.charAt(i))
                ? i + 1 < address.length() && Character.isLowSurrogate(address.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(address.charAt(i - 1));
    }

    static boolean needsUtf8(String address) {
        return address.chars().anyMatch(c -> c >= 127);
    }

    /** Returns whether only a server that offers SMTPUTF8 takes it. */
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
