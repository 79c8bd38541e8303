package org.azuremail.transport.smtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MimeTemplate;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How we talk: greeting, encryption, signing in, and the bytes of commands, mails and replies. */
class SmtpConversationTest {

    private final ScriptedSmtpServer server = new ScriptedSmtpServer();
    private final ManualTime time = new ManualTime();
    private final List<SmtpTransport> transports = new ArrayList<>();

    @AfterEach
    void close() {
        transports.forEach(SmtpTransport::close);
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMailArrivesByteByByteAsItWasMade(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        String dots = ".\n..\n.x\n" + ".".repeat(200) + "\n.\nend.";
        MailLot lot = new MailLot(TestMails.content("1", ".S", "<p>x</p>", dots), TestMails.mails(2));

        assertThat(transport(null).handOver(lot, () -> true).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        MimeTemplate template = new MimeTemplate(lot.content());
        assertThat(server.mails())
                .containsExactlyElementsOf(lot.mails().stream()
                        .map(mail -> new String(template.merge(mail, time.instant()), US_ASCII))
                        .toList());
    }

    @Test
    void aServerThatKnowsNoEhloIsGreetedAsOfOld() {
        server.reply("EHLO", "502 5.5.1 what?");

        assertThat(handOver(transport(null)).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).startsWith("EHLO lists.contoso.edu", "HELO lists.contoso.edu");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repliesMayBeCutAnywhere(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        server.cutReplies().reply("RCPT", "250-2.1.5 one\r\n250-2.1.5 two\r\n250 2.1.5 three");

        assertThat(handOver(transport(null)).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aReasonOfSeveralLinesIsReadAsOne() {
        server.replyOnce(
                "RCPT", "550-5.7.26 Mail from contoso.edu\r\n550-5.7.26 is\tnot authenticated.\r\n550 5.7.26 ~ Sorry");

        assertThat(handOver(transport(null)).answers().get(0))
                .isEqualTo(new Answer.Refused("550 5.7.26 Mail from contoso.edu is not authenticated. ~ Sorry"));
    }

    @Test
    void aReasonWithoutEndIsCut() {
        server.replyOnce("RCPT", "550-" + "x".repeat(600) + "\r\n550-" + "y".repeat(600) + "\r\n550 z");

        Answer answer = handOver(transport(null)).answers().get(0);

        assertThat(((Answer.Refused) answer).reason())
                .startsWith("550 xxx")
                .hasSize(1000)
                .endsWith("y…");
    }

    @ParameterizedTest
    @CsvSource({"SSH-2.0-OpenSSH_9.2", "25", "999 what", "250xOK", "100 wait"})
    void whatIsNoReplyEndsTheConversationBeforeAnythingIsTaken(String garbage) {
        server.replyOnce("MAIL", garbage);

        HandOver handOver = handOver(transport(null));

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.WAIT);
        assertThat(server.mails()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-OpenSSH_9.2", "354 go ahead"})
    void afterTheMailItLeavesThatMailInDoubt(String garbage) {
        server.replyOnce(".", garbage);

        HandOver handOver = handOver(transport(null));

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Untaken.class);
    }

    @Test
    void noReplyIsReadWithoutBounds() {
        server.replyOnce("GREETING", "220 " + "x".repeat(5000));
        assertWait(handOver(transport(null)), "a line of more than 4096 bytes");

        server.replyOnce("GREETING", "220-x\r\n".repeat(300) + "220 x");
        assertWait(handOver(transport(null)), "more than 200 lines");
    }

    /** The time for an answer is one for all its lines. */
    @Test
    void aReplyThatDoesNotEndIsNotWaitedForAnewWithEachLine() {
        server.replyOnce("GREETING", "220-scripted");
        SmtpTransport slow = new SmtpTransport(
                new SmtpProperties("localhost", server.port(), null, null, Starttls.AUTO, 1),
                "localhost",
                new EightSecondsALook());
        transports.add(slow);

        assertWait(handOver(slow), "no whole answer in time");
    }

    private static final class EightSecondsALook implements Time {

        private final ManualTime time = new ManualTime();

        @Override
        public Instant instant() {
            return time.instant();
        }

        @Override
        public Duration elapsed() {
            time.advance(Duration.ofSeconds(8));
            return time.elapsed();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            time.sleep(duration);
        }
    }

    @Test
    void whatTheServerDoesNotTakeForItsSizeIsNotSent() {
        server.offer("SIZE 300");

        HandOver handOver = handOver(transport(null));

        assertThat(handOver.answers()).hasSize(2).allSatisfy(answer -> assertThat(((Answer.Refused) answer).reason())
                .contains("no more than 300"));
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIZE", "SIZE 0", "SIZE 99999999999999999999", "SIZE 10000000"})
    void aSizeThatAllowsTheMailChangesNothing(String size) {
        server.offer(size);

        assertThat(handOver(transport(null)).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @Test
    void aPasswordIsAskedForInTwoSteps() {
        server.offer("AUTH=LOGIN")
                .reply("AUTH LOGIN", "334 VXNlcm5hbWU6")
                .reply(base64("user"), "334 UGFzc3dvcmQ6")
                .reply(base64("secret"), "235 2.7.0 Ok");

        assertThat(handOver(transport("user")).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).containsSequence("AUTH LOGIN", base64("user"), base64("secret"));
    }

    @Test
    void aNameThatIsNotKnownPausesBeforeThePasswordIsSent() {
        server.offer("AUTH LOGIN").reply("AUTH LOGIN", "334 VXNlcm5hbWU6").reply(base64("user"), "535 5.7.8 who?");

        HandOver handOver = handOver(transport("user"));

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(server.commands()).doesNotContain(base64("secret"));
    }

    /** The example of RFC 2195, section 2. */
    @Test
    void aPasswordNeedNotTravel() {
        server.offer("AUTH CRAM-MD5")
                .reply("AUTH CRAM-MD5", "334 PDE4OTYuNjk3MTcwOTUyQHBvc3RvZmZpY2UucmVzdG9uLm1jaS5uZXQ+");
        SmtpProperties tim =
                new SmtpProperties("localhost", server.port(), "tim", "tanstaaftanstaaf", Starttls.AUTO, 1);

        handOver(transport(tim, SmtpTimeouts.DEFAULT, (SSLSocketFactory) SSLSocketFactory.getDefault()));

        assertThat(server.commands()).contains("dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw");
    }

    @Test
    void waysToSignInThatWeDoNotKnowPause() {
        server.offer("AUTH GSSAPI");

        HandOver handOver = handOver(transport("user"));

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(handOver.unavailable().orElseThrow().reason()).contains("GSSAPI");
    }

    @Test
    void underTlsTheServerSaysAgainWhatItOffers(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("localhost", directory);
        server.identity(identity).offer("STARTTLS").offer("AUTH PLAIN").offer("PIPELINING");
        SmtpProperties properties = new SmtpProperties("localhost", server.port(), "user", "secret", Starttls.ON, 1);

        HandOver handOver = handOver(transport(properties, SmtpTimeouts.DEFAULT, identity.getSocketFactory()));

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands().subList(0, 3))
                .containsExactly("EHLO lists.contoso.edu", "STARTTLS", "EHLO lists.contoso.edu");
        assertThat(server.commands().get(3)).startsWith("AUTH PLAIN");
    }

    @Test
    void aCertificateOfAnotherNamePauses(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("elsewhere.example", directory);
        server.identity(identity).offer("STARTTLS");
        SmtpProperties properties = new SmtpProperties("localhost", server.port(), null, null, Starttls.ON, 1);

        HandOver handOver = handOver(transport(properties, SmtpTimeouts.DEFAULT, identity.getSocketFactory()));

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(handOver.unavailable().orElseThrow().reason()).contains("TLS");
        assertThat(server.mails()).isEmpty();
    }

    /** What somebody in between puts there is not the server's. */
    @Test
    void whatCameBeforeTheEncryptionIsNotBelieved(@TempDir Path directory) throws Exception {
        SSLContext identity = Certificates.of("localhost", directory);
        server.identity(identity).offer("STARTTLS").reply("STARTTLS", "220 ready\r\n250 PIPELINING");
        SmtpProperties properties = new SmtpProperties("localhost", server.port(), null, null, Starttls.ON, 1);

        HandOver handOver = handOver(transport(properties, SmtpTimeouts.DEFAULT, identity.getSocketFactory()));

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(server.mails()).isEmpty();
    }

    @Test
    void aServerThatCannotEncryptNowIsWaitedFor() {
        server.offer("STARTTLS").reply("STARTTLS", "454 4.7.0 not now");
        SmtpProperties properties = new SmtpProperties("localhost", server.port(), null, null, Starttls.ON, 1);

        assertWait(
                handOver(transport(properties, SmtpTimeouts.DEFAULT, (SSLSocketFactory) SSLSocketFactory.getDefault())),
                "454 4.7.0 not now");
    }

    @Test
    void aFromAddressThatSmtpCannotCarryPauses() {
        MailLot lot = new MailLot(
                TestMails.content("1", TestMails.mailbox("käse@contoso.edu", ""), null, "S", "<p>x</p>", "x"),
                TestMails.mails(1));

        HandOver handOver = transport(null).handOver(lot, () -> true);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(server.connections()).isZero();
    }

    @Test
    void weSayGoodbye() {
        SmtpTransport transport = transport(null);
        handOver(transport);

        transport.close();

        await().until(() -> server.commands().contains("QUIT"));
    }

    private static void assertWait(HandOver handOver, String reason) {
        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.WAIT);
        assertThat(handOver.unavailable().orElseThrow().reason()).contains(reason);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(US_ASCII));
    }

    private static HandOver handOver(SmtpTransport transport) {
        return transport.handOver(
                new MailLot(TestMails.content("1", "S", "<p>x</p>", "x"), TestMails.mails(2)), () -> true);
    }

    private SmtpTransport transport(@Nullable String username) {
        String password = username == null ? null : "secret";
        return transport(
                new SmtpProperties("localhost", server.port(), username, password, Starttls.AUTO, 1),
                SmtpTimeouts.DEFAULT,
                (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    private SmtpTransport transport(SmtpProperties properties, SmtpTimeouts timeouts, SSLSocketFactory tls) {
        SmtpTransport made = new SmtpTransport(properties, "lists.contoso.edu", time, timeouts, tls);
        transports.add(made);
        return made;
    }
}
