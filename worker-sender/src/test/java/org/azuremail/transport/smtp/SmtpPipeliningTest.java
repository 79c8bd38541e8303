package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.transport.smtp.ScriptedSmtpServer.withTheNext;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeats checks with a server that accepts pipelined commands, and checks the faults that can occur only there. */
class SmtpPipeliningTest extends OnScriptedServer {

    SmtpPipeliningTest() {
        server.offer("PIPELINING");
    }

    @Nested
    class Answers extends SmtpAnswersTest {
        Answers() {
            server.offer("PIPELINING");
        }
    }

    @Nested
    class Connections extends SmtpConnectionsTest {
        Connections() {
            server.offer("PIPELINING");
        }
    }

    @Nested
    class Silence extends SmtpSilenceTest {
        Silence() {
            server.offer("PIPELINING");
        }
    }

    @Nested
    class Guards extends SmtpGuardTest {
        Guards() {
            server.offer("PIPELINING");
        }
    }

    @Nested
    class SigningIn extends SmtpSignInTest {
        SigningIn() {
            server.offer("PIPELINING");
        }
    }

    @Test
    void anEnvelopeIsNotWaitedForCommandByCommand() {
        server.reply("MAIL", withTheNext("250 ok")).reply("RCPT", withTheNext("250 ok"));

        assertThat(handOver(impatient(), 3).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @Test
    void theNextEnvelopeGoesAlongWithAMailsEnd() {
        server.replyOnce(".", withTheNext("250 one")).replyOnce(".", withTheNext("250 two"));

        HandOverResult handOver = handOver(impatient(), 3);

        assertThat(handOver.answers())
                .startsWith(new Answer.Accepted("250 two"), new Answer.Accepted("250 one"))
                .hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @Test
    void noContentIsWrittenBeforeTheAnswerToTheMailBeforeIt() {
        List<String> journal = new ArrayList<>();

        transport.handOver(lot(3), journaling(journal));

        assertThat(journal)
                .containsExactly("begins 0", "Accepted 0", "begins 1", "Accepted 1", "begins 2", "Accepted 2");
    }

    @Test
    void aRecipientThatIsRefusedWhileDataIsTakenGetsNoEmptyMail() {
        server.reply("DATA", "354 go ahead").replyOnce("RCPT TO:<u0000002", "550 5.1.1 no such user");

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(1))
                .isEqualTo(new Answer.Refused(Reason.of(ReasonCode.NO_MAILBOX, "550 5.1.1 no such user")));
        assertThat(server.recipients()).containsExactly("u0000001@bench.test", "u0000003@bench.test");
        assertThat(server.mails()).hasSize(3).filteredOn(String::isEmpty).hasSize(1);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aSenderThatIsRefusedWhileAllElseIsTakenSendsNoEmptyMail() {
        server.reply("MAIL", "451 4.3.0 later").reply("RCPT", "250 ok").reply("DATA", "354 go ahead");

        HandOverResult handOver = handOver(2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "451 4.3.0 later");
        assertThat(server.mails()).isEmpty();
    }

    /** The server waits for content, and would take the next commands for it. */
    @Test
    void aConnectionThatWaitsForTheContentOfARefusedMailIsNotUsedAgain() {
        server.replyOnce("MAIL", "451 4.3.0 later").replyOnce("RCPT", "250 ok").replyOnce("DATA", "354 go ahead");
        SmtpTransport hasty = impatient();
        assertUnavailable(handOver(hasty, 1), Kind.WAIT, "451 4.3.0 later");

        assertThat(handOver(hasty, 1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.mails()).hasSize(1);
    }

    @Test
    void aServerThatRefusesTheSenderAndHangsUpIsUnderstood() {
        server.reply("MAIL", "550 5.7.1 not from you").hangUpOnce("RCPT");

        assertUnavailable(handOver(2), Kind.PAUSE, "550 5.7.1 not from you");
    }

    /** The envelope of the email was already sent, but nothing is sent after it. */
    @Test
    void aGuardThatSaysNoLateStopsAMailWhoseEnvelopeIsTaken() {
        AtomicInteger asked = new AtomicInteger();
        Guard slow = new Guard() {
            @Override
            public boolean mayContinue() {
                return asked.incrementAndGet() < 2;
            }

            @Override
            public void answered(int mail, Answer answer) {
                time.advance(Duration.ofSeconds(2));
            }
        };

        HandOverResult handOver = transport.handOver(lot(3), slow);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        untaken(handOver, 1);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.mails()).hasSize(1);
        assertThat(handOver(1).answers())
                .as("on a connection that knows nothing of it")
                .hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void aMailInDoubtLeavesTheOneWhoseEnvelopeWentAlongUntaken() {
        server.replyOnce(".", "250 ok").hangUpOnce("RCPT TO:<u0000002").hangUpOnce(".");

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        untaken(handOver, 1);
    }

    @Test
    void aRefusedMailsEnvelopeBehindItStillCounts() {
        server.replyOnce(".", "552 5.3.4 too large");

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Refused.class);
        assertThat(server.recipients()).containsExactly("u0000002@bench.test", "u0000003@bench.test");
        assertThat(server.commands()).filteredOn(c -> c.startsWith("MAIL")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA"})
    void anExtraReplyIsNeverMisunderstood(String command) {
        server.replyOnce(command, "250 ok\r\n250 ok");

        HandOverResult handOver = handOver(2);

        nothingTakenOf(handOver, 1);
        assertThat(handOver.answers().get(1)).as("in a conversation of its own").isInstanceOf(Answer.Accepted.class);
        assertThat(server.recipients()).containsExactly("u0000002@bench.test");
        assertThat(server.mails()).hasSize(1);
    }

    @Test
    void aRefusalThatBelongsToNoCommandBurnsNobody() {
        server.replyOnce("MAIL", "250 ok\r\n550 5.1.1 no such user");

        HandOverResult handOver = handOver(2);

        nothingTakenOf(handOver, 1);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Accepted.class);
    }

    @ParameterizedTest
    @CsvSource({"250 ok|250 ok", "250 ok|421 4.4.2 too many mails", "250 ok|550 no", "250 ok|354 go ahead"})
    void anUnaskedReplyCostsTheConnectionButNoMail(String reply) {
        server.replyOnce(".", reply.replace("|", "\r\n"));

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isEqualTo(new Answer.Accepted("250 ok"));
        assertThat(server.recipients()).doesNotHaveDuplicates();
        assertThat(server.mails()).hasSameSizeAs(server.recipients()).noneMatch(String::isEmpty);
        assertThat(handOver.answers()).doesNotHaveAnyElementsOfTypes(Answer.Unknown.class);
        assertThat(server.connections()).isEqualTo(2);
    }
}
