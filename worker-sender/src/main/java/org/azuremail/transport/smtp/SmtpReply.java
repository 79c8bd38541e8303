package org.azuremail.transport.smtp;

import java.io.IOException;

/**
 * How far one mail came, and what the server said there.
 *
 * @param code of three digits; {@link #NONE} when the connection ended without an answer
 * @param text what the server said, or what broke
 */
record SmtpReply(Stage stage, int code, String text) {

    static final int NONE = -1;

    /** The server closes the connection. */
    static final int CLOSING = 421;

    /** The steps of handing over one mail. */
    enum Stage {
        /** MAIL FROM: about the sender. */
        MAIL,
        /** RCPT TO: about the recipient. */
        RCPT,
        /** DATA, and the mail's bytes without the final dot: nothing is taken yet. */
        DATA,
        /** The final dot: it may be taken from here on. */
        END
    }

    static SmtpReply of(Stage stage, ServerReply reply) {
        return new SmtpReply(stage, reply.code(), reply.text());
    }

    /** What the server said without being asked: no answer to this mail, whatever its code. */
    static SmtpReply unasked(Stage stage, ServerReply reply) {
        return new SmtpReply(stage, reply.code() == CLOSING ? CLOSING : NONE, "unasked: " + reply.text());
    }

    /** The connection broke, and nothing more was said. */
    static SmtpReply broken(Stage stage, IOException gone) {
        String why = gone.getMessage();
        return new SmtpReply(stage, NONE, why == null ? gone.toString() : ServerReply.readable(why));
    }

    boolean accepted() {
        return stage == Stage.END && code / 100 == 2;
    }

    /** The server is closing the connection, or it is gone already; the mail was not taken. */
    boolean lostBeforeTaken() {
        return code == CLOSING || (code == NONE && stage != Stage.END);
    }
}
