package org.azuremail.transport.smtp;

import java.time.Duration;
import java.util.Locale;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Unavailable;

/** What a server's reply means for the mail and for those behind it. */
sealed interface SmtpVerdict {

    /** Between two tries of a mail that a server puts off, as greylisting does. */
    Duration PUT_OFF = Duration.ofMinutes(1);

    /** The mail has its answer, and the next may follow on the same connection if it still stands. */
    record Answered(Answer answer) implements SmtpVerdict {}

    /** Nobody knows of this mail, and the connection is gone. */
    record InDoubt(Answer.Unknown answer) implements SmtpVerdict {}

    /** The connection went before the mail was taken: another one may work. */
    record Reconnect(String reason) implements SmtpVerdict {}

    /** The server takes nothing from us now. */
    record Closed(Unavailable.Kind kind, String reason) implements SmtpVerdict {}

    static SmtpVerdict of(SmtpReply reply) {
        if (reply.accepted()) {
            return new Answered(new Answer.Accepted(reply.text()));
        }
        if (reply.lostBeforeTaken()) {
            return new Reconnect(reply.text());
        }
        if (reply.code() == SmtpReply.NONE) {
            return new InDoubt(new Answer.Unknown(
                    "The connection ended before the server answered the whole mail: " + reply.text()));
        }
        return refused(reply);
    }

    private static SmtpVerdict refused(SmtpReply reply) {
        int code = reply.code();
        if (code == 530 || code == 534 || code == 535 || code == 538) {
            return new Closed(Unavailable.Kind.PAUSE, "wants us to sign in: " + reply.text());
        }
        if (code == 454) {
            return new Closed(Unavailable.Kind.WAIT, "takes nothing for now: " + reply.text());
        }
        if (aboutUs(reply)) {
            return code / 100 == 4
                    ? new Closed(Unavailable.Kind.WAIT, "does not take mail from us for now: " + reply.text())
                    : new Closed(Unavailable.Kind.PAUSE, "does not take mail from us: " + reply.text());
        }
        return new Answered(
                code / 100 == 4 ? new Answer.RetryAfter(PUT_OFF, reply.text()) : new Answer.Refused(reply.text()));
    }

    /** What every recipient would be refused for is no recipient's fault. */
    private static boolean aboutUs(SmtpReply reply) {
        String text = reply.text().toLowerCase(Locale.ROOT);
        return switch (reply.stage()) {
            case MAIL -> true;
            // "554 5.7.1 Relay access denied": the server wants a user name.
            case RCPT -> reply.code() / 100 == 5 && text.contains("relay");
            case DATA -> false;
            // Some look at From only when they have it all: "554 Message rejected: Email address is not verified."
            case END -> text.contains("address is not verified");
        };
    }
}
