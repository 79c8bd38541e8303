package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the effect of every answer of a server on the email and on those behind it. */
class SmtpAnswersTest extends OnScriptedServer {

    @Test
    void acceptedMailCarriesTheServersReply() {
        HandOverResult handOver = handOver(1);

        assertThat(handOver.answers())
                .containsExactly(new Answer.Accepted("250 2.0.0 Ok: queued as u0000001@bench.test"));
        assertThat(server.commands()).contains("MAIL FROM:<news@contoso.edu>");
    }

    @ParameterizedTest
    @CsvSource({"RCPT TO:<u0000002,550 5.1.1 no such user", "DATA,554 5.6.0 no", ".,552 5.3.4 too large"})
    void aRefusalForGoodConcernsOneMail(String command, String reply) {
        server.replyOnce(command, reply);

        HandOverResult handOver = handOver(3);

        int refused = command.startsWith("RCPT") ? 1 : 0;
        assertThat(handOver.answers().get(refused)).isEqualTo(refusal(reply));
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

        HandOverResult handOver = handOver(3);

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
        "RCPT,550 5.1.8 <x>: Sender address rejected: Domain not found",
        "RCPT,554 5.7.1 <x>: Relay access denied",
        ".,554 Message rejected: Email address is not verified."
    })
    void e25_aRefusalThatIsNoRecipientsFaultPausesAndChargesNobody(String command, String reply) {
        server.reply(command, reply);

        HandOverResult handOver = handOver(3);

        nothingTakenOf(handOver, 3);
        assertUnavailable(handOver, Kind.PAUSE, reply);
        assertThat(server.recipients()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GREETING,421 4.3.2 too busy",
        "GREETING,450 later",
        "MAIL,421 4.3.2 closing",
        "MAIL,451 4.3.0 try later",
        "MAIL,454 4.7.0 TLS not available"
    })
    void aServerThatTakesNothingNowIsWaitedFor(String command, String reply) {
        server.reply(command, reply);

        HandOverResult handOver = handOver(3);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "");
        assertThat(server.recipients()).isEmpty();
    }

    /** Otherwise, it would be the answer to the next email's first command. */
    @ParameterizedTest
    @ValueSource(strings = {"550 5.7.1 not from you", "421 4.4.2 bye", "250 ok"})
    void anUnaskedReplyBetweenTwoLotsIsNoAnswerToTheNext(String unasked) {
        server.replyOnce(".", "250 ok\r\n" + unasked);
        handOver(1);

        HandOverResult next = handOver(1);

        assertThat(next.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(next.unavailable()).isEmpty();
        assertThat(server.recipients()).hasSize(2);
        assertThat(server.commands())
                .filteredOn(said -> said.startsWith("MAIL"))
                .hasSize(2);
    }

    /** Otherwise, it would be the answer to the content. */
    @Test
    void anUnaskedReplyBeforeTheContentIsNoAnswerToIt() {
        server.replyOnce("DATA", "354 go ahead\r\n250 ok").reply(".", "554 5.6.0 no");

        HandOverResult handOver = handOver(1);

        broke(handOver, 0, 1);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.mails()).isEmpty();
    }

    /**
     * It is unknown whether the refusals concern the recipients. After three in a row, the server is not used for a
     * while.
     */
    @ParameterizedTest
    @CsvSource({
        "RCPT,421 4.3.2 closing",
        "RCPT,454 4.7.1 relay access denied",
        "RCPT,450 4.1.8 <x>: Sender address rejected: Domain not found",
        "RCPT,hang up",
        "RCPT,what?",
        "DATA,421 4.3.2 closing",
        "DATA,454 4.3.0 not now",
        ".,421 4.3.2 closing",
        ".,454 Throttling failure: Maximum sending rate exceeded."
    })
    void aServerThatBreaksOffAtEveryRecipientIsWaitedFor(String command, String reply) {
        server.reply(command, reply);

        HandOverResult handOver = handOver(5);

        broke(handOver, 0, 3);
        untaken(handOver, 3);
        assertUnavailable(handOver, Kind.WAIT, "");
        assertThat(server.recipients()).isEmpty();
    }

    static Stream<Arguments> breaks() {
        return Stream.of(
                Arguments.of("RCPT", "hang up", broke(Reason.of(ReasonCode.HUNG_UP))),
                Arguments.of("RCPT", "what?", broke(Reason.of(SmtpReason.SMTP_SAID, "what?"))),
                Arguments.of("DATA", "354 go ahead\r\n250 ok", broke(Reason.of(SmtpReason.SMTP_UNASKED, "250 ok"))),
                Arguments.of("DATA", "421 4.3.2 closing", Reason.ofText("421 4.3.2 closing")));
    }

    private static Reason broke(Reason why) {
        return Reason.of(SmtpReason.SMTP_BROKE, why);
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void aBrokenConversationIsNoWordOfTheServer(String command, String reply, Reason expected) {
        server.replyOnce(command, reply);
        Answer answer = handOver(1).answers().get(0);
        assertThat(answer).isInstanceOfSatisfying(Answer.RetryAfter.class, later -> assertThat(later.reason())
                .isEqualTo(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT TO:<u0000003,421 4.3.2 closing",
        "RCPT TO:<u0000003,454 4.7.1 not for you",
        "RCPT TO:<u0000003,450 4.1.8 <x>: Sender address rejected: Domain not found",
        "RCPT TO:<u0000003,hang up",
        "RCPT TO:<u0000003,999 what?",
        "RCPT TO:<u0000003,250xOK"
    })
    void oneRecipientAtWhomTheConversationBreaksHoldsNobodyUp(String command, String reply) {
        server.reply(command, reply);

        HandOverResult handOver = handOver(6);

        broke(handOver, 2, 3);
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(5);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.recipients()).hasSize(5).doesNotHaveDuplicates();
        assertThat(server.connections()).isLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "550 5.1.1 <x>: Recipient address rejected: User unknown in relay recipient table",
                "550 User unknown in relay recipient table",
                "550 5.4.1 Recipient address rejected: Access denied; see relay policy",
                "553 sorry, that relay does not know you (#5.1.1)"
            })
    void anUnknownUserBehindARelayIsRefusedAlone(String reply) {
        server.replyOnce("RCPT TO:<u0000001", reply);

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isEqualTo(refusal(reply));
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.recipients()).hasSize(2);
    }

    private static Answer.Refused refusal(String reply) {
        return new Answer.Refused(
                reply.contains("5.1.1") ? Reason.of(ReasonCode.NO_MAILBOX, reply) : Reason.ofText(reply));
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT TO:<u0000001,550 5.1.1 no such user,true",
        "RCPT TO:<u0000001,556 5.1.10 recipient address has null MX,true",
        "RCPT TO:<u0000001,550 no such user,false",
        "RCPT TO:<u0000001,550 5.1.11 no such user,false",
        "RCPT TO:<u0000001,550 5.2.1 disabled,false",
        "DATA,554 5.1.1 no such user,false",
        ".,554 5.1.1 no such user,false"
    })
    void onlyTheCodeForAMissingMailboxSaysThatThereIsNone(String command, String reply, boolean missing) {
        server.replyOnce(command, reply);

        assertThat(handOver(3).answers().get(0))
                .isEqualTo(
                        new Answer.Refused(missing ? Reason.of(ReasonCode.NO_MAILBOX, reply) : Reason.ofText(reply)));
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT,550 5.7.1 Unable to relay",
        "RCPT,550 relay not permitted",
        "RCPT,550 5.1.8 <x>: Sender address rejected: Domain not found",
        ".,550 5.1.7 bad address syntax of the sender",
        "RCPT,554 Relaying denied",
        "RCPT,550 5.0.0 relaying denied",
        "RCPT,'553 sorry, not in my list of allowed hosts (#5.7.1)'",
        "RCPT,530 5.7.0 Authentication required",
        "RCPT,530 Authentication required",
        "RCPT,534 Authentication mechanism is too weak",
        "DATA,535 Authentication required",
        "DATA,538 Encryption required",
        "DATA,530 5.7.0 Authentication required",
        "DATA,554 5.7.1 Client host blocked",
        ".,550 5.7.60 Client does not have permissions to send as this sender",
        ".,554 Message rejected: Email address is not verified."
    })
    void aRefusalAboutUsPausesOnlyWhereNobodyElseIsTaken(String command, String reply) {
        server.reply(command, reply);
        HandOverResult everybody = handOver(5);
        broke(everybody, 0, 3);
        untaken(everybody, 3);
        assertUnavailable(everybody, Kind.PAUSE, reply);

        for (int place = 0; place < 3; place++) {
            try (ScriptedSmtpServer one = new ScriptedSmtpServer()) {
                oneRefused(one, command, reply, place);
            }
        }
    }

    private void oneRefused(ScriptedSmtpServer one, String command, String reply, int place) {
        one.replyAt(place, command, reply);
        HandOverResult handOver = handOver(transportTo(one), 3);

        assertThat(handOver.unavailable()).as("number %d refused", place).isEmpty();
        assertThat(handOver.answers().get(place)).isEqualTo(new Answer.Refused(reply));
        assertThat(one.recipients()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT,550 5.1.1 No such user; relay not permitted",
        "RCPT,550 no such user",
        "DATA,554 5.6.0 no",
        ".,552 5.2.2 mailbox full",
        ".,552 exceeded storage allocation"
    })
    void aRefusalAboutTheEmailsEndsThemEvenIfNobodyElseIsTaken(String command, String reply) {
        server.reply(command, reply);

        HandOverResult handOver = handOver(5);

        assertThat(handOver.answers()).hasSize(5).containsOnly(refusal(reply));
        assertThat(handOver.unavailable()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT,552 5.3.4 too large",
        "DATA,552 5.3.4 Message size exceeds fixed limit",
        ".,552 5.3.4 too large",
        ".,554 5.3.4 Message too big for system",
        ".,'552 sorry, that message size exceeds my databytes limit (#5.3.4)'",
        ".,552 Message size exceeds maximum permitted",
        ".,552 message too large"
    })
    void aRefusalAsTooLargePausesOnlyWhereNoneOfTheMessageIsTaken(String command, String reply) {
        handOver(transport, 1, "another");
        server.reply(command, reply);

        HandOverResult everybody = handOver(transport, 5, "large");

        broke(everybody, 0, 3);
        untaken(everybody, 3);
        assertUnavailable(everybody, Kind.MESSAGE, reply);
        assertThat(everybody.unavailable().orElseThrow().reason()).asString().containsPattern("has \\d[\\d,]* bytes");
        for (int place = 0; place < 3; place++) {
            try (ScriptedSmtpServer one = new ScriptedSmtpServer()) {
                oneRefused(one, command, reply, place);
            }
        }
    }

    private static HandOverResult handOver(SmtpTransport transport, int mails, String content) {
        return transport.handOver(
                new MailLot(TestMails.content(content, "S", "<p>x</p>", "x"), TestMails.mails(mails)), ALWAYS);
    }

    /** The route decides, because it knows of other emails. */
    @Test
    void ofOneRecipientAloneWhomTheServerDoesNotRelayToOthersMustDecide() {
        server.reply("RCPT", "554 5.7.1 Relay access denied");

        HandOverResult handOver = handOver(1);

        broke(handOver, 0, 1);
        assertUnavailable(handOver, Kind.PAUSE, "5.7.1");
    }
}
