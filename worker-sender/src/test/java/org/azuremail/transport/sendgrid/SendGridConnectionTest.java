package org.azuremail.transport.sendgrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** Connections to servers that do not behave like SendGrid's. */
class SendGridConnectionTest {

    /** The behaviour of a server on one connection. */
    private interface Talk {
        void run(InputStream in, OutputStream out) throws IOException;
    }

    private static ServerSocket server(Talk talk) throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(
                () -> {
                    while (!socket.isClosed()) {
                        try (Socket client = socket.accept()) {
                            talk.run(client.getInputStream(), client.getOutputStream());
                        } catch (IOException gone) {
                            // The client hung up, or the test ended.
                        }
                    }
                },
                "raw-server");
        thread.setDaemon(true);
        thread.start();
        return socket;
    }

    /** Each byte comes within every time limit for a single byte. */
    @Test
    void aHandshakeThatTricklesIsCutOffAndNothingIsTaken() throws Exception {
        ManualTime time = new ManualTime();
        Talk endless = (in, out) -> {
            byte[] head = in.readNBytes(5);
            in.readNBytes((head[3] & 255) << 8 | head[4] & 255);
            out.write(new byte[] {22, 3, 3, 0x40, 0});
            for (int i = 0; i < 0x3000; i++) {
                out.write(2);
                out.flush();
                await().pollDelay(Duration.ofMillis(20)).until(() -> true);
            }
        };
        try (ServerSocket server = server(endless);
                SendGridTransport to = new SendGridTransport(
                        new SendGridProperties(
                                "SG.key", URI.create("https://localhost:" + server.getLocalPort()), 250, null),
                        time,
                        new SeededIds(1),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(18),
                        Conversation.NONE)) {
            CompletableFuture<HandOverResult> handOver =
                    CompletableFuture.supplyAsync(() -> to.handOver(OnFakeSendGrid.lot(3), OnFakeSendGrid.ALWAYS));
            await().until(() -> {
                time.advance(Duration.ofSeconds(19));
                to.closeOverdue();
                return handOver.isDone();
            });
            OnFakeSendGrid.assertNotAttempted(
                    handOver.join(), Kind.WAIT, "cannot be reached: it did not answer in time");
        }
    }

    /** Otherwise, emails that nobody took would be recorded as sent. */
    @Test
    void i1_anAnswerTooManyIsNotTakenForThatToTheNextRequest() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        Talk talk = (in, out) -> {
            while (true) {
                RawAnswer.read(in);
                String yes = accepted("request-" + requests.incrementAndGet()) + accepted("extra");
                out.write(yes.getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        };
        try (ServerSocket server = server(talk);
                SendGridTransport to = OnFakeSendGrid.transport(
                        URI.create("http://localhost:" + server.getLocalPort()), Duration.ofSeconds(3))) {
            for (int i = 1; i <= 3; i++) {
                assertThat(to.handOver(OnFakeSendGrid.lot(1), OnFakeSendGrid.ALWAYS)
                                .answers())
                        .containsExactly(new Answer.Accepted("request-" + i));
            }
        }
        assertThat(requests).hasValue(3);
    }

    private static String accepted(String id) {
        return "HTTP/1.1 202 Accepted\r\nX-Message-Id: " + id + "\r\nContent-Length: 0\r\n\r\n";
    }
}
