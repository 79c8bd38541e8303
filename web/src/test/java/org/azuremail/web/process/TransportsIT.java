package org.azuremail.web.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.azuremail.transport.ReceivedMail;
import org.azuremail.transport.sendgrid.FakeSendGrid;
import org.azuremail.web.process.Program.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests the whole service with a provider that first refuses its credentials and then accepts its emails. */
class TransportsIT {

    private static final int SMTP_READERS = 60;
    private static final int SENDGRID_READERS = 480;
    private static final int BATCH = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    @Timeout(300)
    @DisplayName("E-25: a wrong SMTP password pauses the message with its reason; the right one mails everybody once")
    void wrongSmtpPasswordPausesAndChargesNobody(@TempDir Path data) throws Exception {
        ((Logger) LoggerFactory.getLogger("com.icegreen.greenmail")).setLevel(Level.WARN);
        GreenMail server = new GreenMail(new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTP));
        server.start();
        try {
            server.setUser("sender@example.org", "sender", "right");
            String message;
            try (LocalService service = LocalService.start(data, smtp(server, "wrong"))) {
                message = beginAndSeePaused(service.program(), SMTP_READERS, "535");
                assertThat(server.getReceivedMessages()).isEmpty();
            }
            try (LocalService service = LocalService.start(data, smtp(server, "right"))) {
                resumeAndSeeSent(service, message, SMTP_READERS);
            }
            assertThat(recipients(server)).containsExactlyInAnyOrderElementsOf(Program.readers(SMTP_READERS));
        } finally {
            server.stop();
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("E-25: a wrong SendGrid key pauses the message with its reason; the right one mails everybody once")
    void wrongSendGridKeyPausesAndChargesNobody(@TempDir Path data) throws Exception {
        try (FakeSendGrid server = new FakeSendGrid().requireKey("right")) {
            String message;
            try (LocalService service = LocalService.start(data, sendGrid(server, "wrong"))) {
                message = beginAndSeePaused(service.program(), SENDGRID_READERS, "401");
                assertThat(server.received()).isEmpty();
            }
            int refused = server.requests().size();
            assertThat(refused).as("requests that were refused").isPositive();
            try (LocalService service = LocalService.start(data, sendGrid(server, "right"))) {
                resumeAndSeeSent(service, message, SENDGRID_READERS);
            }
            assertThat(recipients(server)).containsExactlyInAnyOrderElementsOf(Program.readers(SENDGRID_READERS));
            assertBatches(server.requests().subList(refused, server.requests().size()));
        }
    }

    /** Checks that requests are as full as a shard allows, and never fuller than the setting. */
    private static void assertBatches(List<List<String>> requests) {
        assertThat(requests).allSatisfy(request -> assertThat(request).hasSizeLessThanOrEqualTo(BATCH));
        assertThat(requests).anySatisfy(request -> assertThat(request).hasSize(BATCH));
        assertThat(requests).hasSizeLessThan(SENDGRID_READERS / 5);
    }

    /** Checks that everybody still waits: a refused password makes no email fail. */
    private static String beginAndSeePaused(Program program, int readers, String reason) {
        program.makeList("crowd");
        program.importReaders("crowd", readers);
        String message = program.send("crowd");
        Awaitility.await("the pause").atMost(PATIENCE).untilAsserted(() -> {
            Answer now = program.get(message);
            assertThat(now.<Boolean>at("$.paused")).as(now.body()).isTrue();
            assertThat(now.count("recipients")).as(now.body()).isEqualTo(readers);
        });
        Answer paused = program.get(message);
        assertThat(paused.<String>at("$.reason")).contains(reason);
        assertThat(paused.count("waiting")).as(paused.body()).isEqualTo(readers);
        assertNobodyCharged(paused);
        assertThat(paused.count("sent")).as(paused.body()).isZero();
        return message;
    }

    /** Chooses the button on the message's page, which also shows the reason. */
    private static void resumeAndSeeSent(LocalService service, String message, int readers) {
        String path = message.replace("/api/v1", "");
        Visitor admin = new Visitor();
        HttpResponse<String> signIn = admin.open(service.url() + "/sign-in");
        admin.press(signIn, "/sign-in", Map.of("email", LocalService.ADMIN, "password", LocalService.PASSWORD));
        HttpResponse<String> page = admin.open(service.url() + path);
        assertThat(page.body())
                .contains(service.program().get(message).<String>at("$.reason").split("[^\\w ]", 2)[0]);
        assertThat(admin.press(page, path + "/resume", Map.of()).statusCode()).isEqualTo(200);

        Answer done = service.program().awaitCompletion(message, PATIENCE);
        assertThat(done.count("recipients")).isEqualTo(readers);
        assertThat(done.count("sent")).as(done.body()).isEqualTo(readers);
        assertThat(done.count("waiting")).as(done.body()).isZero();
        assertNobodyCharged(done);
    }

    private static void assertNobodyCharged(Answer message) {
        for (String none : List.of("failed", "skipped", "unknown")) {
            assertThat(message.count(none)).as(none).isZero();
        }
    }

    private static String[] smtp(GreenMail server, String password) {
        return new String[] {
            "azuremail.mail.transport=smtp",
            "azuremail.mail.rate=0",
            "azuremail.mail.smtp.host=localhost",
            "azuremail.mail.smtp.port=" + server.getSmtp().getPort(),
            "azuremail.mail.smtp.username=sender",
            "azuremail.mail.smtp.password=" + password
        };
    }

    private static String[] sendGrid(FakeSendGrid server, String key) {
        return new String[] {
            "azuremail.mail.transport=sendgrid",
            "azuremail.mail.sendgrid.endpoint=" + server.endpoint(),
            "azuremail.mail.sendgrid.api-key=" + key,
            "azuremail.mail.sendgrid.batch-size=" + BATCH
        };
    }

    /** Returns all recipients except the admin, who gets an email because sending is paused. */
    private static List<String> recipients(GreenMail server) throws MessagingException {
        List<String> recipients = new ArrayList<>();
        for (MimeMessage mail : server.getReceivedMessages()) {
            recipients.add(mail.getRecipients(Message.RecipientType.TO)[0].toString());
        }
        recipients.removeIf(LocalService.ADMIN::equals);
        return recipients;
    }

    private static List<String> recipients(FakeSendGrid server) {
        return server.received().stream()
                .map(ReceivedMail::to)
                .map(to -> to.address().value())
                .filter(recipient -> !recipient.equals(LocalService.ADMIN))
                .toList();
    }
}
