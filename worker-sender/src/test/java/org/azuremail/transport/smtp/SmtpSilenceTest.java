package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks a server that stops answering or reading. Most tests wait, so they run at the same time. */
@Execution(ExecutionMode.CONCURRENT)
class SmtpSilenceTest extends OnScriptedServer {

    /** A server that scans emails needs this long. A client that waits for less leaves emails in doubt. */
    @Test
    void aServerHasTheTimeThatTheStandardGivesIt() {
        assertThat(SmtpTimeouts.DEFAULT.greeting()).isEqualTo(Duration.ofMinutes(5));
        assertThat(SmtpTimeouts.DEFAULT.command()).isEqualTo(Duration.ofMinutes(5));
        assertThat(SmtpTimeouts.DEFAULT.end()).isEqualTo(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GREETING", "EHLO", "MAIL"})
    void silenceBeforeARecipientIsNamedIsWaitedFor(String command) {
        server.fallSilent(command);

        HandOverResult handOver = handOver(impatient(), 2);

        nothingTakenOf(handOver, 2);
        assertUnavailable(handOver, Kind.WAIT, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RCPT", "DATA"})
    void silenceAfterEveryRecipientIsWaitedForToo(String command) {
        server.fallSilent(command);

        HandOverResult handOver = handOver(impatient(), 2);

        broke(handOver, 0, 2);
        assertUnavailable(handOver, Kind.WAIT, "");
    }

    @Test
    void silenceAfterTheFinalDotIsUnknownForThatMailAlone() {
        server.fallSilent(".");

        HandOverResult handOver = handOver(impatient(), 3);

        assertThat(handOver.answers().get(0)).isEqualTo(cutOff(ReasonCode.NO_ANSWER));
        untaken(handOver, 1);
        assertUnavailable(handOver, Kind.WAIT, "");
    }

    /** The guard renews the lease while the server checks the email. */
    @Test
    void theGuardIsAskedWhileAMailIsLookedAtAndItsNoCutsNothingOff() {
        server.fallSilent(".");
        SmtpTransport patient =
                transport(patience(Duration.ofSeconds(10), Duration.ofSeconds(4), Duration.ofSeconds(12)));
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = patient.handOver(lot(3), () -> asked.incrementAndGet() < 2);

        assertThat(asked.get()).as("once a second").isBetween(3, 6);
        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        untaken(handOver, 1);
    }

    /**
     * A process that ends no longer waits for the answer, but it can still record that the other emails were not begun.
     */
    @Test
    void theLastCallOfAStopEndsTheWaitForTheAnswerToAMail() {
        server.fallSilent(".");
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = transport.handOver(lot(3), () -> {
            if (asked.incrementAndGet() == 2) {
                Thread.currentThread().interrupt();
            }
            return asked.get() < 2;
        });

        assertThat(Thread.interrupted()).as("records what it knows").isFalse();
        assertThat(asked.get()).as("of ten minutes, seconds").isLessThan(6);
        assertThat(handOver.answers().get(0)).isEqualTo(cutOff(SmtpReason.SMTP_NOT_AWAITED));
        untaken(handOver, 1);
    }

    private static Answer cutOff(Reason.Code why) {
        return new Answer.Unknown(Reason.of(SmtpReason.SMTP_CUT_OFF, Reason.of(why)));
    }

    /** No email is lost, because none was begun. */
    @ParameterizedTest
    @ValueSource(strings = {"GREETING", "RCPT", "DATA"})
    void aStopEndsAWaitBeforeTheMailIsBegun(String command) {
        server.fallSilent(command);
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = transport.handOver(lot(3), () -> asked.incrementAndGet() < 2);

        untaken(handOver, 0);
        assertThat(asked.get()).as("of five minutes, seconds").isLessThan(6);
        assertThat(server.mails()).isEmpty();
    }

    @Test
    void aServerThatStopsReadingIsHungUpOn() {
        server.fallSilent(ScriptedSmtpServer.BODY);
        MailLot large = new MailLot(
                TestMails.content("1", "S", "<p>" + "x".repeat(20_000_000) + "</p>", "x"), TestMails.mails(2));
        CompletableFuture<HandOverResult> handOver =
                CompletableFuture.supplyAsync(() -> transport.handOver(large, ALWAYS));

        await().until(() -> {
            time.advance(Duration.ofSeconds(13));
            transport.hangUpOnStuck();
            return handOver.isDone();
        });

        nothingTakenOf(handOver.join(), 2);
        assertUnavailable(handOver.join(), Kind.WAIT, "");
    }

    /** A slow line or a busy server takes minutes for a large email, which needs the lease for as long. */
    @Test
    void aServerThatReadsSlowlyGetsAllOfALargeEmail() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Guard guard = () -> asked.incrementAndGet() > 0;
        MailContent large = TestMails.content("1", "S", "<p>x</p>", "x".repeat(24_000_000));
        SmtpTransport patient = transport(SmtpTimeouts.DEFAULT);
        server.readSlowly(() -> {
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
            time.advance(Duration.ofSeconds(5));
            patient.hangUpOnStuck();
        });

        HandOverResult handOver = patient.handOver(new MailLot(large, TestMails.mails(1)), guard);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(asked).hasValueGreaterThan(10);
    }
}
