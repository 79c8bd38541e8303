package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.transport.smtp.ScriptedSmtpServer;
import org.azuremail.transport.smtp.SmtpTransport;
import org.azuremail.transport.smtp.ToScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks an SMTP relay whose answer to the end of an email takes many leases. It arrives byte by byte while other
 * processes look for work.
 */
class SlowRelayTests {

    /** The time for one byte of the answer, after which the lease is too short to wait for the next. */
    private static final Duration A_BYTE = Duration.ofSeconds(20);

    private final SimulatedWorld world = new SimulatedWorld();
    private final ScriptedSmtpServer server = new ScriptedSmtpServer();
    private final Semaphore looks = new Semaphore(0);
    private SimulatedProcess other;
    private int bytes;

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void aRelayThatOutlastsTheLeaseAtTheFinalDotGetsTheMailOnceAndItIsSent(OnUnknown onUnknown) {
        world.provider = new Asked(ToScriptedServer.transport(server, world.time));
        SimulatedProcess sender = world.restart();
        other = world.restart();
        MessageRef ref = world.message(world.list("contoso1", 1, 0), onUnknown);
        server.reply(".", "250 2.0.0 Ok").dripTheNextEnd(this::beforeAByte);

        sender.turn();

        assertThat(A_BYTE.multipliedBy(bytes))
                .isGreaterThan(SimulatedWorld.SMALL.lease().multipliedBy(9));
        assertThat(server.mails()).hasSize(1);
        world.runToEnd();
        world.assertAccounted(ref, verified("contoso1", 1));
        assertThat(world.outcomes(ref).values()).containsExactly(Outcome.SENT);
        assertThat(server.mails()).hasSize(1);
    }

    /** Lets time pass before a byte. This runs on the server's thread while the sender's thread waits for the byte. */
    private void beforeAByte() {
        if (bytes++ > 0) {
            assertThat(looked()).as("the sender looks after its lease").isTrue();
        }
        world.time.advance(A_BYTE);
        other.turn();
    }

    private boolean looked() {
        try {
            return looks.tryAcquire(30, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A transport that records when the guard is asked while an answer is awaited. */
    private final class Asked implements MailTransport {

        private final SmtpTransport smtp;

        private Asked(SmtpTransport smtp) {
            this.smtp = smtp;
        }

        @Override
        public String name() {
            return smtp.name();
        }

        @Override
        public int lotSize() {
            return smtp.lotSize();
        }

        @Override
        public HandOverResult handOver(MailLot lot, Guard guard) {
            return smtp.handOver(lot, () -> {
                boolean may = guard.mayContinue();
                if (bytes > 0) {
                    looks.release();
                }
                return may;
            });
        }
    }
}
