package org.azuremail.transport.smtp;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.reason.Reason;

/**
 * The stage that one email reached, and the server's answer there.
 *
 * @param code of three digits; {@link #NONE} when the connection ended without an answer
 * @param reason the server's words, or what broke
 */
record SmtpReply(Stage stage, int code, Reason reason) {

    static final int NONE = -1;

    /** The code by which the server closes the connection. */
    static final int CLOSING = 421;

    private static final Set<Integer> NOT_ABOUT_A_MAIL = Set.of(211, 214, 220, 221);

    private static final Pattern ENHANCED =
            Pattern.compile("^\\d{3} ([245]\\.\\d{1,3}\\.\\d{1,3})\\b|\\(#([245]\\.\\d{1,3}\\.\\d{1,3})\\)");

    /** The stages of handing over one email. */
    enum Stage {
        /** MAIL FROM, which concerns the sender. */
        MAIL,
        /** RCPT TO, which concerns the recipient. */
        RCPT,
        /** DATA, and the email's bytes without the final dot: nothing is taken yet. */
        DATA,
        /** The final dot: from here on, the email may be taken. */
        END
    }

    static SmtpReply of(Stage stage, ServerReply reply) {
        return new SmtpReply(stage, reply.code(), Reason.ofText(reply.text()));
    }

    /** Returns an unsolicited reply, which does not answer this email, whatever its code. */
    static SmtpReply unsolicited(Stage stage, ServerReply reply) {
        Reason reason = Reason.of(SmtpReason.SMTP_UNASKED, reply.text());
        return new SmtpReply(stage, reply.code() == CLOSING ? CLOSING : NONE, reason);
    }

    /** Returns the result of a connection that broke without another reply. */
    static SmtpReply broken(Stage stage, IOException gone) {
        return new SmtpReply(stage, NONE, SmtpProtocolException.reasonOf(gone));
    }

    /** Returns the server's words; empty when the connection ended without an answer. */
    String text() {
        return code == NONE ? "" : reason.text(0);
    }

    /**
     * Returns the enhanced code such as {@code 5.7.1} (RFC 3463), after the code or in qmail's form {@code (#5.7.1)};
     * empty if there is none.
     */
    String enhanced() {
        Matcher found = ENHANCED.matcher(text());
        return !found.find() ? "" : found.group(1) == null ? found.group(2) : found.group(1);
    }

    boolean accepted() {
        return stage == Stage.END && takes(code);
    }

    /**
     * Returns whether this code after the final dot says that the server has taken the email. RFC 5321 lists only 250
     * there (4.3.2). For a code that it does not specify, the first digit decides (4.2). But it specifies 211 and 214
     * for help, 220 for the greeting and 221 for the end of the connection: these do not say what became of the email.
     */
    static boolean takes(int code) {
        return code / 100 == 2 && !NOT_ABOUT_A_MAIL.contains(code);
    }

    /** Returns whether the server is closing the connection, or has closed it, and the email was not taken. */
    boolean lostBeforeAccepted() {
        return code == CLOSING || (code == NONE && stage != Stage.END);
    }
}
