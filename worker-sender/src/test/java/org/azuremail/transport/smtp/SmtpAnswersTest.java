package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocketFactory;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer of a server, and what it means for the mail and for those behind it. */
class SmtpAnswersTest {

    static final Guard ALWAYS = () -> true;
    private static final SmtpTimeouts IMPATIENT =
            new SmtpTimeouts(Duration.ofSeconds(10), Duration.ofMillis(1500), Duration.ofSeconds(12));

    final ScriptedSmtpServer server = new ScriptedSmtpServer();
    final ManualTime time = new ManualTime();
    private final List<SmtpTransport> transports = new ArrayList<>();
    final SmtpTransport transport = transport(null, null, Starttls.AUTO, 2);

    @AfterEach
    void close() {
        transports.forEach(SmtpTransport::close);
        server.close();
    }

    @Test
    void acceptedMailCarriesTheServersReply() {
        HandOver handOver = handOver(1);

        assertThat(handOver.answers())
                .containsExactly(new Answer.Accepted("250 2.0.0 Ok: queued as u0000001@bench.test"));
        assertThat(server.commands()).contains("MAIL FROM:<news@contoso.edu>");
    }

    @Test
    void severalMailsShareAConnectionAndLotsToo() {
        handOver(5);
        handOver(5);

        assertThat(server.recipients()).hasSize(10);
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"RCPT TO:<u0000002,550 5.1.1 no such user", "DATA,554 5.6.0 no", ".,552 5.3.4 too large"})
    void aRefusalForGoodConcernsOneMail(String command, String reply) {
        server.replyOnce(command, reply);

        HandOver handOver = handOver(3);

        int refused = command.startsWith("RCPT") ? 1 : 0;
        assertThat(handOver.answers().get(refused)).isEqualTo(new Answer.Refused(reply));
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(2);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.connections()).isEqualTo(1);
        assertThat(server.recipients()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT TO:<u0000002,451 4.7.1 greylisted",
        "RCPT TO:<u0000002,450 4.2.0 busy",
        "DATA,451 4.3.0 later",
        ".,452 4.3.1 no space"
    })
    void aRefusalForNowMayBeTriedAgain(String command, String reply) {
        server.replyOnce(command, reply);

        HandOver handOver = handOver(3);

        int late = command.startsWith("RCPT") ? 1 : 0;
        assertThat(handOver.answers().get(late)).isEqualTo(new Answer.RetryAfter(Duration.ofMinutes(1), reply));
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(2);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MAIL,550 5.7.1 sender not verified",
        "MAIL,553 5.1.8 sender rejected",
        "MAIL,530 5.7.0 Authentication required",
        "RCPT,530 5.7.0 Must issue STARTTLS",
        "RCPT,554 5.7.1 <x>: Relay access denied",
        ".,554 Message rejected: Email address is not verified."
    })
    void e25_whatIsNoRecipientsFaultPausesAndBurnsNobody(String command, String reply) {
        server.reply(command, reply);

        HandOver handOver = handOver(3);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.PAUSE, reply);
        assertThat(server.recipients()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GREETING,421 4.3.2 too busy",
        "GREETING,450 later",
        "MAIL,421 4.3.2 closing",
        "MAIL,451 4.3.0 try later",
        "RCPT,421 4.3.2 closing",
        "DATA,421 4.3.2 closing",
        ".,421 4.3.2 closing",
        ".,454 Throttling failure: Maximum sending rate exceeded."
    })
    void aServerThatTakesNothingNowIsWaitedFor(String command, String reply) {
        server.reply(command, reply);

        HandOver handOver = handOver(3);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "");
        assertThat(server.recipients()).isEmpty();
    }

    @Test
    void e25_aWrongPasswordPauses() {
        server.offer("AUTH PLAIN").reply("AUTH", "535 5.7.8 Error: authentication failed");

        HandOver handOver = handOver(transport("user", "s3cret-pass", Starttls.AUTO, 1), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.PAUSE, "535 5.7.8");
        assertThat(handOver.unavailable().orElseThrow().reason())
                .contains("password")
                .doesNotContain("s3cret-pass");
    }

    @Test
    void signingInThatFailsForNowIsWaitedFor() {
        server.offer("AUTH PLAIN").reply("AUTH", "454 4.7.0 Temporary authentication failure");

        assertUnavailable(handOver(transport("user", "secret", Starttls.AUTO, 1), 1), Kind.WAIT, "454");
    }

    @Test
    void theRightPasswordSignsIn() {
        server.offer("AUTH PLAIN");

        assertThat(handOver(transport("user", "secret", Starttls.AUTO, 1), 1).answers())
                .hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).anyMatch(command -> command.startsWith("AUTH PLAIN"));
    }

    @Test
    void whereTlsIsInsistedOnNothingIsSentWithoutIt() {
        HandOver handOver = handOver(transport(null, null, Starttls.ON, 1), 1);

        assertUnavailable(handOver, Kind.PAUSE, "STARTTLS is required");
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    @Test
    void aCertificateThatNobodyTrustsPausesBeforeThePasswordIsSent() {
        server.offer("STARTTLS").offer("AUTH PLAIN");

        HandOver handOver = handOver(transport("user", "secret", Starttls.ON, 1), 1);

        assertUnavailable(handOver, Kind.PAUSE, "TLS");
        assertThat(server.commands()).contains("STARTTLS").noneMatch(command -> command.startsWith("AUTH"));
    }

    @Test
    void onThisMachineNothingNeedsToBeEncrypted() {
        server.offer("STARTTLS");

        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).doesNotContain("STARTTLS");
        assertThat(properties("mail.contoso.edu", null, null, Starttls.AUTO, 1).tlsWanted())
                .isTrue();
    }

    @Test
    void aServerThatIsNotThereIsWaitedFor() {
        server.close();

        HandOver handOver = handOver(2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "cannot be reached");
        assertThat(transport.prepare())
                .hasValueSatisfying(why -> assertThat(why.kind()).isEqualTo(Kind.WAIT));
    }

    @Test
    void anUnknownHostIsWaitedFor() {
        SmtpTransport elsewhere = transport(properties("no-such-host.invalid", null, null, Starttls.AUTO, 1));

        assertUnavailable(handOver(elsewhere, 1), Kind.WAIT, "no-such-host.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GREETING", "EHLO", "MAIL", "RCPT", "DATA"})
    void silenceBeforeTheMailIsWrittenIsWaitedFor(String command) {
        server.fallSilent(command);

        HandOver handOver = handOver(impatient(), 2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "");
    }

    @Test
    void silenceAfterTheFinalDotIsUnknownForThatMailAlone() {
        server.fallSilent(".");

        HandOver handOver = handOver(impatient(), 3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        untaken(handOver, 1);
        assertUnavailable(handOver, Kind.WAIT, "");
    }

    @Test
    void aServerThatStopsReadingIsHungUpOn() {
        server.fallSilent(ScriptedSmtpServer.BODY);
        MailLot large = new MailLot(
                TestMails.content("1", "S", "<p>" + "x".repeat(20_000_000) + "</p>", "x"), TestMails.mails(2));
        CompletableFuture<HandOver> handOver = CompletableFuture.supplyAsync(() -> transport.handOver(large, ALWAYS));

        await().until(() -> {
            time.advance(Duration.ofSeconds(13));
            transport.hangUpOnStuck();
            return handOver.isDone();
        });

        untaken(handOver.join(), 0);
        assertUnavailable(handOver.join(), Kind.WAIT, "");
    }

    @Test
    void aConnectionThatDiesAfterTheFinalDotIsUnknownForThatMailAlone() {
        server.hangUpOnce(".");

        HandOver handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        untaken(handOver, 1);
        assertThat(server.recipients()).containsExactly("u0000001@bench.test");
    }

    @Test
    void theLastMailInDoubtLeavesNobodyUntaken() {
        server.hangUpOnce(".");

        HandOver handOver = handOver(1);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA"})
    void aNewConnectionThatDiesBeforeTheMailIsWrittenIsWaitedFor(String command) {
        server.hangUpOnce(command);

        HandOver handOver = handOver(2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "");
        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @ParameterizedTest
    @CsvSource({"RCPT TO:<u0000002,''", "RCPT TO:<u0000002,421 4.4.5 too many mails on this connection"})
    void aProvenConnectionThatEndsBetweenMailsIsReplaced(String command, String reply) {
        if (reply.isEmpty()) {
            server.hangUpOnce(command);
        } else {
            server.replyOnce(command, reply);
        }

        HandOver handOver = handOver(3);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.recipients())
                .containsExactly("u0000001@bench.test", "u0000002@bench.test", "u0000003@bench.test");
    }

    @Test
    void aConnectionThatTheServerClosedAtRestIsReplaced() {
        handOver(1);
        server.hangUpOnAll();
        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        server.hangUpOnAll();
        time.advance(Duration.ofMinutes(10));
        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(3);
    }

    @Test
    void nothingGoesOutAfterTheGuardSaidNo() {
        AtomicInteger asked = new AtomicInteger();

        HandOver handOver = transport.handOver(lot(5), () -> asked.incrementAndGet() < 3);

        assertThat(handOver.answers().subList(0, 3)).hasOnlyElementsOfType(Answer.Accepted.class);
        untaken(handOver, 3);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(asked).hasValue(3);
        assertThat(server.recipients()).hasSize(3);
    }

    @Test
    void theGuardIsAskedAgainBeforeAnotherConnectionIsTried() {
        server.hangUpOnce("RCPT TO:<u0000002");
        AtomicInteger asked = new AtomicInteger();

        HandOver handOver = transport.handOver(lot(3), () -> asked.incrementAndGet() < 2);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        untaken(handOver, 1);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @Test
    void afterALongWaitForAConnectionTheGuardIsAskedBeforeTheFirstMail() {
        AtomicInteger asked = new AtomicInteger();
        SmtpTransport slow =
                new SmtpTransport(properties("localhost", null, null, Starttls.AUTO, 1), "localhost", new SlowTime());
        transports.add(slow);

        HandOver handOver = slow.handOver(lot(2), () -> asked.incrementAndGet() < 1);

        untaken(handOver, 0);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.recipients()).isEmpty();
    }

    /** Two seconds pass between any two looks at the clock. */
    private static final class SlowTime implements Time {

        final ManualTime time = new ManualTime();

        @Override
        public Instant instant() {
            return time.instant();
        }

        @Override
        public Duration elapsed() {
            time.advance(Duration.ofSeconds(2));
            return time.elapsed();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            time.sleep(duration);
        }
    }

    @Test
    void theGuardHearsOfEachMailBeforeItIsWrittenAndWhenItIsAnswered() {
        server.replyOnce("RCPT TO:<u0000002", "550 no").hangUpOnce(".");
        List<String> journal = new ArrayList<>();

        transport.handOver(lot(3), journaling(journal));

        assertThat(journal).containsExactly("begins 0", "Unknown 0");
        journal.clear();
        transport.handOver(lot(3), journaling(journal));
        assertThat(journal).containsExactly("begins 0", "Accepted 0", "Refused 1", "begins 2", "Accepted 2");
    }

    @Test
    void anAddressOutsideAsciiIsRefusedAlone() {
        List<Mail> mails = List.of(
                TestMails.mail("jürgen@domain.com", "", Map.of()),
                TestMails.mails(1).get(0));

        HandOver handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void preparingOpensTheConnectionThatTheLotUses() {
        assertThat(transport.prepare()).isEmpty();
        assertThat(server.connections()).isEqualTo(1);

        handOver(2);

        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void noMoreConnectionsAreOpenThanAllowed() throws InterruptedException {
        SmtpTransport narrow = transport(null, null, Starttls.AUTO, 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<HandOver> first = new AtomicReference<>();
        Thread holder = new Thread(() -> first.set(narrow.handOver(lot(2), () -> {
            inside.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        })));
        holder.start();
        inside.await();

        assertThat(narrow.prepare())
                .as("somebody else holds the only connection: that is no reason to wait")
                .isEmpty();
        goOn.countDown();
        assertThat(handOver(narrow, 2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        holder.join();

        assertThat(first.get().answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void settingsNeverShowThePassword() {
        assertThat(properties("localhost", "user", "s3cret", Starttls.AUTO, 1).toString())
                .contains("user")
                .doesNotContain("s3cret");
    }

    @Test
    void aPasswordGoesToAnotherMachineOnlyUnderTls() {
        assertThat(properties("mail.contoso.edu", "user", "x", Starttls.AUTO, 1).tlsRequired())
                .isTrue();
        assertThat(properties("mail.contoso.edu", "user", "x", Starttls.OFF, 1).tlsRequired())
                .isFalse();
        assertThat(properties("mail.contoso.edu", null, null, Starttls.AUTO, 1).tlsRequired())
                .isFalse();
        assertThat(properties("localhost", "user", "x", Starttls.AUTO, 1).tlsRequired())
                .isFalse();
    }

    /** Else it would be the answer to the next mail's first command. */
    @ParameterizedTest
    @ValueSource(strings = {"550 5.7.1 not from you", "421 4.4.2 bye", "250 ok"})
    void whatIsSaidUnaskedBetweenTwoLotsIsNoAnswerToTheNext(String unasked) {
        server.replyOnce(".", "250 ok\r\n" + unasked);
        handOver(1);

        HandOver next = handOver(1);

        assertThat(next.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(next.unavailable()).isEmpty();
        assertThat(server.recipients()).hasSize(2);
        assertThat(server.commands())
                .filteredOn(said -> said.startsWith("MAIL"))
                .hasSize(2);
    }

    /** Else it would be the answer to the content. */
    @Test
    void whatIsSaidUnaskedBeforeTheContentIsNoAnswerToIt() {
        server.replyOnce("DATA", "354 go ahead\r\n250 ok").reply(".", "554 5.6.0 no");

        HandOver handOver = handOver(1);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "250 ok");
        assertThat(server.mails()).isEmpty();
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

    static void untaken(HandOver handOver, int from) {
        assertThat(handOver.answers().subList(from, handOver.answers().size()))
                .isNotEmpty()
                .hasOnlyElementsOfType(Answer.Untaken.class);
    }

    static void assertUnavailable(HandOver handOver, Kind kind, String reason) {
        Unavailable unavailable = handOver.unavailable().orElseThrow();
        assertThat(unavailable.kind()).isEqualTo(kind);
        assertThat(unavailable.reason()).contains(reason).startsWith("The SMTP server ");
        assertThat(unavailable.retryAfter()).isPositive();
    }

    HandOver handOver(int mails) {
        return handOver(transport, mails);
    }

    static HandOver handOver(SmtpTransport transport, int mails) {
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

    private SmtpTransport transport(SmtpProperties properties) {
        return transport(properties, SmtpTimeouts.DEFAULT);
    }

    private SmtpTransport transport(SmtpProperties properties, SmtpTimeouts timeouts) {
        SmtpTransport made = new SmtpTransport(
                properties, "lists.contoso.edu", time, timeouts, (SSLSocketFactory) SSLSocketFactory.getDefault());
        transports.add(made);
        return made;
    }

    private SmtpProperties properties(
            String host, @Nullable String username, @Nullable String password, Starttls starttls, int connections) {
        return new SmtpProperties(host, server.port(), username, password, starttls, connections);
    }
}
