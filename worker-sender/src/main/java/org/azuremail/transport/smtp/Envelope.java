package org.azuremail.transport.smtp;

import org.azuremail.transport.smtp.SmtpReply.Stage;

/**
 * Sender and recipient of one mail, as a command can carry them: we do not speak SMTPUTF8.
 *
 * @param from an address of ASCII characters
 * @param to likewise
 */
record Envelope(String from, String to) {

    Envelope {
        if (!carries(from) || !carries(to)) {
            throw new IllegalArgumentException("an address that SMTP cannot carry");
        }
    }

    /** Whether it is all ASCII and stays inside its angle brackets. */
    static boolean carries(String address) {
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c <= ' ' || c >= 127 || c == '>' || c == '<') {
                return false;
            }
        }
        return true;
    }

    String command(Stage step) {
        return switch (step) {
            case MAIL -> "MAIL FROM:<" + from + ">";
            case RCPT -> "RCPT TO:<" + to + ">";
            case DATA -> "DATA";
            case END -> throw new IllegalArgumentException("the end is no command");
        };
    }
}
