package org.azuremail.transport.sendgrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.ReceivedMail;
import org.junit.jupiter.api.AfterEach;

/** A transport that talks to a SendGrid that answers as a test tells it. */
abstract class OnFakeSendGrid {

    static final Guard ALWAYS = () -> true;

    final FakeSendGrid server = new FakeSendGrid();
    final SendGridTransport transport = transport(server.endpoint());

    @AfterEach
    void close() throws IOException {
        transport.close();
        server.close();
    }

    static void assertNotAttempted(HandOverResult handOver, Kind kind, String reason) {
        assertThat(handOver.answers()).isNotEmpty().hasOnlyElementsOfType(Answer.NotAttempted.class);
        Unavailable unavailable = handOver.unavailable().orElseThrow();
        assertThat(unavailable.kind()).isEqualTo(kind);
        assertThat(unavailable.reason()).asString().contains(reason);
    }

    static List<String> taken(FakeSendGrid server) {
        return server.received().stream()
                .map(ReceivedMail::to)
                .map(to -> to.address().value())
                .toList();
    }

    HandOverResult handOver(int mails) {
        return transport.handOver(lot(mails), ALWAYS);
    }

    static HandOverResult handOver(FakeSendGrid server, int mails) {
        try (SendGridTransport transport = transport(server.endpoint())) {
            return transport.handOver(lot(mails), ALWAYS);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static MailLot lot(int mails) {
        return new MailLot(TestMails.content("1", "S", "<p>{{name}}</p>", "{{name}}"), TestMails.mails(mails));
    }

    static SendGridTransport transport(URI endpoint) {
        return transport(endpoint, Duration.ofSeconds(18));
    }

    static SendGridTransport transport(URI endpoint, Duration answer) {
        return transport(endpoint, Duration.ofSeconds(10), answer);
    }

    static SendGridTransport transport(URI endpoint, Duration connect, Duration answer) {
        return new SendGridTransport(
                new SendGridProperties("SG.key", endpoint, 250, null),
                new ManualTime(),
                new SeededIds(1),
                connect,
                answer,
                Conversation.NONE);
    }
}
