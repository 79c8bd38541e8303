package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A transport that talks to a server that does as a test tells it. */
abstract class OnScriptedServer {

    private static final String HOST = "lists.contoso.edu";
    static final Guard ALWAYS = () -> true;
    private static final SmtpTimeouts IMPATIENT =
            patience(Duration.ofSeconds(10), Duration.ofMillis(1500), Duration.ofSeconds(12));

    final ScriptedSmtpServer server = new ScriptedSmtpServer();
    final ManualTime time = new ManualTime();
    private final List<SmtpTransport> transports = new ArrayList<>();
    final SmtpTransport transport = transport(null, null, Starttls.AUTO, 2);

    static SmtpTimeouts patience(Duration connect, Duration answer, Duration write) {
        return new SmtpTimeouts(connect, answer, answer, answer, answer, write);
    }

    @AfterEach
    void close() {
        transports.forEach(SmtpTransport::close);
        server.close();
    }

    static Guard journaling(List<String> journal) {
        return new Guard() {
            @Override
            public boolean mayContinue() {
                return true;
            }

            @Override
            public void begins(int mail) {
                journal.add("begins " + mail);
            }

            @Override
            public void answered(int mail, Answer answer) {
                journal.add(answer.getClass().getSimpleName() + " " + mail);
            }
        };
    }

    static void untaken(HandOverResult handOver, int from) {
        assertThat(handOver.answers().subList(from, handOver.answers().size()))
                .isNotEmpty()
                .hasOnlyElementsOfType(Answer.NotAttempted.class);
    }

    /**
     * Checks that no email was accepted. If the client sends commands in a row, it cannot know which of them broke the
     * conversation.
     */
    static void nothingTakenOf(HandOverResult handOver, int mails) {
        assertThat(handOver.answers().subList(0, mails))
                .allSatisfy(answer -> assertThat(answer instanceof Answer.NotAttempted
                                || (answer instanceof Answer.RetryAfter retry && retry.interrupted()))
                        .isTrue());
    }

    /** Checks that none of these emails was accepted, and that the refusal may concern them. */
    static void broke(HandOverResult handOver, int from, int to) {
        assertThat(handOver.answers().subList(from, to))
                .allSatisfy(answer ->
                        assertThat(((Answer.RetryAfter) answer).interrupted()).isTrue());
    }

    static void assertUnavailable(HandOverResult handOver, Kind kind, String reason) {
        Unavailable unavailable = handOver.unavailable().orElseThrow();
        assertThat(unavailable.kind()).isEqualTo(kind);
        assertThat(unavailable.reason()).asString().contains(reason).startsWith("The SMTP server ");
        assertThat(unavailable.retryAfter()).isPositive();
    }

    HandOverResult handOver(int mails) {
        return handOver(transport, mails);
    }

    static HandOverResult handOver(SmtpTransport transport, int mails) {
        return transport.handOver(lot(mails), ALWAYS);
    }

    static MailLot lot(int mails) {
        return new MailLot(TestMails.content("1", "S", "<p>x</p>", "x"), TestMails.mails(mails));
    }

    SmtpTransport transport(@Nullable String username, @Nullable String password, Starttls starttls, int connections) {
        return transport(properties("localhost", username, password, starttls, connections));
    }

    SmtpTransport impatient() {
        return transport(properties("localhost", null, null, Starttls.AUTO, 1), IMPATIENT);
    }

    final SmtpTransport transport(SmtpTimeouts timeouts) {
        return transport(properties("localhost", null, null, Starttls.AUTO, 1), timeouts);
    }

    final SmtpTransport transportTo(ScriptedSmtpServer other) {
        return transport(new SmtpProperties("localhost", other.port(), null, null, Starttls.AUTO, 2));
    }

    final SmtpTransport transport(SmtpProperties properties) {
        return transport(properties, SmtpTimeouts.DEFAULT);
    }

    private SmtpTransport transport(SmtpProperties properties, SmtpTimeouts timeouts) {
        return added(
                new SmtpTransport(properties, HOST, time, timeouts, SmtpTransport.defaultTls(), Conversation.NONE));
    }

    final SmtpTransport transport(SmtpProperties properties, SSLSocketFactory tls) {
        return added(new SmtpTransport(properties, HOST, time, SmtpTimeouts.DEFAULT, tls, Conversation.NONE));
    }

    final SmtpTransport transport(Time slow) {
        return added(new SmtpTransport(properties("localhost", null, null, Starttls.AUTO, 1), HOST, slow));
    }

    private SmtpTransport added(SmtpTransport made) {
        transports.add(made);
        return made;
    }

    final SmtpProperties properties(
            String host, @Nullable String username, @Nullable String password, Starttls starttls, int connections) {
        return new SmtpProperties(host, server.port(), username, password, starttls, connections);
    }
}
