package org.azuremail.web.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.transport.smtp.LoopbackSmtp;

/**
 * An SMTP server that accepts every email, slowly, and remembers the recipients. It can stop answering in the middle.
 * An email that arrives after that counts as accepted, but gets its answer only after {@link #goOn}.
 */
final class SmtpSink implements AutoCloseable {

    private static final long MILLIS_PER_MAIL = 5;

    private final LoopbackSmtp server;
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final AtomicInteger answeredAtOnce;
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch goingOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param answeredAtOnce the number of emails after which the server stops answering */
    SmtpSink(int answeredAtOnce) throws IOException {
        this.answeredAtOnce = new AtomicInteger(answeredAtOnce);
        server = new LoopbackSmtp(this::take);
    }

    int port() {
        return server.port();
    }

    /** Returns the recipients of all complete emails in order, except the admin, who gets emails about problems. */
    List<String> taken() {
        return taken.stream()
                .filter(recipient -> !recipient.equals(LocalService.ADMIN))
                .toList();
    }

    /** Waits until the first email remains without an answer. */
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
