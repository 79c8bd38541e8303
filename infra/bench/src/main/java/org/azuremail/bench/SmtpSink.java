package org.azuremail.bench;

import static org.azuremail.bench.Sink.ascii;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** An SMTP server with PIPELINING that accepts every email and counts its recipient. */
record SmtpSink(MailCounter counter, Duration perMail) implements Sink.Conversation {

    private static final byte[] END = {'\r', '\n', '.', '\r', '\n'};
    private static final byte[] GREETING = ascii("220 bench.test ESMTP\r\n");
    private static final byte[] EXTENSIONS =
            ascii("250-bench.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 50000000\r\n");
    private static final byte[] GO_ON = ascii("354 go ahead\r\n");
    private static final byte[] OK = ascii("250 Ok\r\n");
    private static final byte[] BYE = ascii("221 bye\r\n");
    private static final int RCPT_TO = "RCPT TO:<".length();

    /** @param perMail the delay of the answer to each email */
    static Sink start(Lab lab, Duration perMail) throws IOException {
        return lab.keep(new Sink(new SmtpSink(lab.tally(), perMail)));
    }

    /** Returns the settings that make a service send to this sink. */
    static String[] settings(Sink sink, int connections) {
        return new String[] {
            "azuremail.mail.transport=smtp",
            "azuremail.mail.rate=0",
            "azuremail.mail.smtp.host=localhost",
            "azuremail.mail.smtp.port=" + sink.port(),
            "azuremail.mail.smtp.connections=" + connections
        };
    }

    @Override
    public void converse(Sink.Input in, OutputStream out) throws IOException, InterruptedException {
        OutputStream replies = new BufferedOutputStream(out, 4096);
        say(replies, GREETING, true);
        byte[] recipient = new byte[64];
        for (int line = in.lengthTo(Sink.LINE); line >= 0; line = in.lengthTo(Sink.LINE)) {
            int at = in.take(line);
            switch (in.bytes()[at]) {
                case 'E', 'H' -> say(replies, EXTENSIONS, true);
                case 'R' -> {
                    System.arraycopy(
                            in.bytes(), at + RCPT_TO, recipient, 0, Math.min(recipient.length, line - RCPT_TO));
                    say(replies, OK, !in.pending());
                }
                case 'D' -> {
                    say(replies, GO_ON, true);
                    take(in, recipient);
                    say(replies, OK, !in.pending());
                }
                case 'Q' -> {
                    say(replies, BYE, true);
                    return;
                }
                default -> say(replies, OK, !in.pending());
            }
        }
    }

    /** Writes a reply, and flushes it only if the client has sent no further command. */
    private static void say(OutputStream replies, byte[] reply, boolean now) throws IOException {
        replies.write(reply);
        if (now) {
            replies.flush();
        }
    }

    private void take(Sink.Input in, byte[] recipient) throws IOException, InterruptedException {
        int size = in.lengthTo(END);
        if (size < 0) {
            throw new IOException("cut off");
        }
        in.take(size);
        if (!perMail.isZero()) {
            Thread.sleep(perMail.toMillis());
        }
        counter.record(recipient, 0);
        counter.stamp();
    }
}
