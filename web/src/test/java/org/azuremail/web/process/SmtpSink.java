package org.azuremail.web.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.transport.smtp.LoopbackSmtp;

/**
 * An SMTP server that takes every mail, slowly, and remembers for whom it was. It can fall silent in the middle: a mail
 * that came after that counts as taken, but its answer waits until the server is let go on.
 */
final class SmtpSink implements AutoCloseable {

    private static final long MILLIS_PER_MAIL = 5;

    private final LoopbackSmtp server;
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final AtomicInteger answeredAtOnce;
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch goingOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param answeredAtOnce mails after which it falls silent */
    SmtpSink(int answeredAtOnce) throws IOException {
        this.answeredAtOnce = new AtomicInteger(answeredAtOnce);
        server = new LoopbackSmtp(this::take);
    }

    int port() {
        return server.port();
    }

    /**
     * The recipient of every mail that came completely, in their order; not the admin, who is emailed when something needs
     * attention.
     */
    List<String> taken() {
        return taken.stream()
                .filter(recipient -> !recipient.equals(LocalService.ADMIN))
                .toList();
    }

    /** Waits until the first mail stays without an answer. */
    boolean awaitSilence(long seconds) throws InterruptedException {
        return silent.await(seconds, TimeUnit.SECONDS);
    }

    void goOn() {
        goingOn.countDown();
    }

    @Override
    public void close() {
        closed.countDown();
        goOn();
        server.close();
    }

    private String take(LoopbackSmtp.Arriving mail) throws IOException, InterruptedException {
        mail.read();
        taken.add(mail.recipient());
        closed.await(MILLIS_PER_MAIL, TimeUnit.MILLISECONDS);
        if (answeredAtOnce.getAndDecrement() <= 0) {
            silent.countDown();
            goingOn.await();
        }
        return LoopbackSmtp.OK;
    }
}
