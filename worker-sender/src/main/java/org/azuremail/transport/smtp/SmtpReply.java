package org.azuremail.transport.smtp;

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

    boolean accepted() {
        return stage == Stage.END && code / 100 == 2;
    }

    /** The server is closing the connection, or it is gone already; the mail was not taken. */
    boolean lostBeforeTaken() {
        return code == CLOSING || (code == NONE && stage != Stage.END);
    }
}
