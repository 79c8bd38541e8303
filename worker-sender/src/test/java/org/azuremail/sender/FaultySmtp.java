package org.azuremail.sender;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.azuremail.transport.smtp.LoopbackSmtp;

/** An SMTP server on a real socket that handles some emails wrongly and counts the emails that it accepted. */
final class FaultySmtp implements AutoCloseable {

    private final LoopbackSmtp server;
    private final FaultyTaker taker;
    private final CountDownLatch closed = new CountDownLatch(1);

    FaultySmtp(FaultyTaker taker) throws IOException {
        this.taker = taker;
        server = new LoopbackSmtp(this::take);
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        closed.countDown();
        server.close();
    }

    private String take(LoopbackSmtp.Arriving mail) throws IOException, InterruptedException {
        FaultyTaker.Fault fault = taker.next();
        if (fault == FaultyTaker.Fault.HANGS_UP_BEFORE) {
            return LoopbackSmtp.HANG_UP;
        }
        mail.read();
        return switch (fault) {
            case LATER, LATER_AT_A_TIME -> "451 4.3.0 come again later";
            case FAILS -> "554 5.6.0 not like this";
            case HANGS_UP_AFTER -> tookAndSays(mail, LoopbackSmtp.HANG_UP);
            case STALLS -> {
                taker.took(mail.recipient());
                closed.await();
                yield LoopbackSmtp.HANG_UP;
            }
            default -> tookAndSays(mail, LoopbackSmtp.OK);
        };
    }

    private String tookAndSays(LoopbackSmtp.Arriving mail, String reply) {
        taker.took(mail.recipient());
        return reply;
    }
}
