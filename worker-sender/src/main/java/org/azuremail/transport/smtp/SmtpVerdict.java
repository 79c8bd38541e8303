package org.azuremail.transport.smtp;

import java.time.Duration;
import java.util.regex.Pattern;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.transport.smtp.SmtpReply.Stage;

/**
 * The meaning of a server's reply for the email and for the next ones. Codes decide, the enhanced code (RFC 3463)
 * before the plain one; the server's words decide only where the codes leave the cause open.
 */
sealed interface SmtpVerdict {

    /** The time between two tries of an email that a server defers, as greylisting does. */
    Duration DEFERRAL = Duration.ofMinutes(1);

    Pattern RELAYING = Pattern.compile(
            "relaying|rcpthosts|relay (access )?(is )?(denied|prohibited|not (permitted|allowed))"
                    + "|(unable|not permitted|not allowed|not authorized|refused?|cannot|do(es)? not) (to )?relay",
            Pattern.CASE_INSENSITIVE);

    Pattern TOO_LARGE =
            Pattern.compile("(message|mail|data) (size|length)|too (large|big|long)", Pattern.CASE_INSENSITIVE);

    /**
     * Some servers check From only when they have the whole email: "554 Message rejected: Email address is not
     * verified."
     */
    Pattern UNVERIFIED = Pattern.compile("address is not verified", Pattern.CASE_INSENSITIVE);

    /**
     * "Bad sender's mailbox address syntax" and "bad sender's system address" (RFC 3463, 3.2), often said to RCPT TO.
     */
    Pattern BAD_SENDER = Pattern.compile("[45]\\.1\\.[78]");

    /** "Bad destination mailbox address" (RFC 3463, 3.2) and "recipient address has null MX" (RFC 7505, 4.2). */
    Pattern NO_MAILBOX = Pattern.compile("5\\.1\\.(1|10)");

    /** The email has its answer. The next may follow on the same connection if it is still open. */
    record Answered(Answer answer) implements SmtpVerdict {}

    /** It is not known whether the email was taken, and the connection is closed. */
    record InDoubt(Answer.Unknown answer) implements SmtpVerdict {}

    /** The conversation broke before the email was taken: by chance, or because of the server or this recipient. */
    record Broke() implements SmtpVerdict {}

    /** The server takes nothing from this sender at present. */
    record Closed(Unavailable.Kind kind, SmtpReason code, String said) implements SmtpVerdict {}

    /**
     * The email is too large. If the server takes no email of the message, an admin has to make the message smaller.
     */
    record TooLarge(Answer.Refused otherwise) implements SmtpVerdict {}

    /**
     * The server seems to take no emails from this sender. If it takes other emails in the same conversation, it
     * refuses this recipient.
     */
    record Suspect(Closed closed, Answer.Refused otherwise) implements SmtpVerdict {}

    static SmtpVerdict of(SmtpReply reply) {
        if (reply.accepted()) {
            return new Answered(new Answer.Accepted(reply.text()));
        }
        if (reply.lostBeforeAccepted()) {
            return new Broke();
        }
        if (reply.code() == SmtpReply.NONE) {
            return new InDoubt(new Answer.Unknown(Reason.of(SmtpReason.SMTP_CUT_OFF, reply.reason())));
        }
        return refused(reply);
    }

    private static SmtpVerdict refused(SmtpReply reply) {
        boolean forNow = reply.code() / 100 == 4;
        if (reply.stage() == Stage.MAIL) {
            return forNow
                    ? new Closed(Unavailable.Kind.WAIT, SmtpReason.SMTP_NOT_FROM_US_NOW, reply.text())
                    : closed(reply);
        }
        // 454 says "TLS not available", "relaying denied for now" or "throttling".
        boolean badSender = BAD_SENDER.matcher(reply.enhanced()).matches();
        if (reply.code() == 454 || (forNow && badSender)) {
            return new Broke();
        }
        if (forNow) {
            return new Answered(new Answer.RetryAfter(DEFERRAL, reply.text()));
        }
        Answer.Refused refused = new Answer.Refused(
                reply.stage() == Stage.RCPT
                                && NO_MAILBOX.matcher(reply.enhanced()).matches()
                        ? Reason.of(ReasonCode.NO_MAILBOX, reply.text())
                        : reply.reason());
        if (tooLarge(reply)) {
            return new TooLarge(refused);
        }
        return badSender || concernsSender(reply) ? new Suspect(closed(reply), refused) : new Answered(refused);
    }

    /**
     * Returns whether the email is too large. By RFC 1870, 6, 552 also says that the recipient's mailbox is full,
     * unless an enhanced code or words say which.
     */
    private static boolean tooLarge(SmtpReply reply) {
        return reply.enhanced().equals("5.3.4")
                || (reply.code() == 552 && reply.stage() != Stage.RCPT && vague(reply) && found(TOO_LARGE, reply));
    }

    private static Closed closed(SmtpReply reply) {
        boolean signIn = requiresAuthentication(reply.code());
        SmtpReason code = signIn ? SmtpReason.SMTP_WANTS_SIGN_IN : SmtpReason.SMTP_NOT_FROM_US;
        return new Closed(Unavailable.Kind.PAUSE, code, reply.text());
    }

    private static boolean requiresAuthentication(int code) {
        return code == 530 || code == 534 || code == 535 || code == 538;
    }

    /** Returns whether the server refuses this sender rather than this recipient. */
    private static boolean concernsSender(SmtpReply reply) {
        if (requiresAuthentication(reply.code())) {
            return true;
        }
        boolean policy = reply.enhanced().startsWith("5.7.");
        return switch (reply.stage()) {
            case MAIL -> true;
            case RCPT -> policy || (vague(reply) && found(RELAYING, reply));
            case DATA -> policy;
            case END -> policy || found(UNVERIFIED, reply);
        };
    }

    /** Returns whether no code names the cause, as "5.0.0" does not. */
    private static boolean vague(SmtpReply reply) {
        return reply.enhanced().isEmpty() || reply.enhanced().equals("5.0.0");
    }

    private static boolean found(Pattern pattern, SmtpReply reply) {
        return pattern.matcher(reply.text()).find();
    }
}
