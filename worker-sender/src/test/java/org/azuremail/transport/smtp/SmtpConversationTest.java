package org.azuremail.transport.smtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.reason.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks our side of the conversation: greeting, farewell, and the bytes of commands, emails and replies. */
class SmtpConversationTest extends OnScriptedServer {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMailArrivesByteByByteAsItWasMade(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        String dots = ".\n..\n.x\n" + ".".repeat(200) + "\n.\nend.";
        MailLot lot = new MailLot(TestMails.content("1", ".S", "<p>x</p>", dots), TestMails.mails(2));

        assertThat(transport.handOver(lot, () -> true).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        MimeTemplate template = new MimeTemplate(lot.content());
        assertThat(server.mails())
                .containsExactlyElementsOf(lot.mails().stream()
                        .map(mail -> new String(template.merge(mail, time.instant()), US_ASCII))
                        .toList());
    }

    /** Bounces of each email go to a separate address. The header keeps the From address. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachEmailHasItsOwnReturnPath(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        List<Mail> mails = TestMails.mails(3);
        MailLot lot = new MailLot(
                TestMails.content("1", "S", "<p>x</p>", "x"),
                List.of(
                        mails.get(0).named("h0", "bounces+h0@b.test"),
                        mails.get(1),
                        mails.get(2).named("h2", "bounces+h2@b.test")));

        assertThat(transport.handOver(lot, () -> true).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        assertThat(server.commands().stream().filter(command -> command.startsWith("MAIL")))
                .containsExactly(
                        "MAIL FROM:<bounces+h0@b.test>",
                        "MAIL FROM:<" + lot.content().from().address() + ">",
                        "MAIL FROM:<bounces+h2@b.test>");
        assertThat(server.mails()).allMatch(mail -> mail.contains("From: ") && !mail.contains("bounces+"));
    }

    @ParameterizedTest
    @CsvSource({
        "lists.contoso.edu,lists.contoso.edu",
        "localhost,localhost",
        "192.0.2.1,[192.0.2.1]",
        "[2001:db8::1],[IPv6:2001:db8::1]",
        "2001:db8::1,[IPv6:2001:db8::1]",
        "[fe80::1%eth0],[IPv6:fe80::1]",
        "1.2.3.example.org,1.2.3.example.org"
    })
    void anIpAddressIntroducesItselfInBrackets(String localName, String said) {
        try (SmtpTransport named = new SmtpTransport(
                properties("localhost", null, null, SmtpProperties.Starttls.AUTO, 1), localName, time)) {
            assertThat(handOver(named, 1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        }
        assertThat(server.commands()).startsWith("EHLO " + said);
    }

    @Test
    void aServerThatKnowsNoEhloIsGreetedAsOfOld() {
        server.reply("EHLO", "502 5.5.1 what?");

        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).startsWith("EHLO lists.contoso.edu", "HELO lists.contoso.edu");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void repliesMayBeCutAnywhere(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        server.cutReplies().reply("RCPT", "250-2.1.5 one\r\n250-2.1.5 two\r\n250 2.1.5 three");

        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aReasonOfSeveralLinesIsReadAsOne() {
        server.replyOnce(
                "RCPT", "550-5.7.26 Mail from contoso.edu\r\n550-5.7.26 is\tnot authenticated.\r\n550 5.7.26 ~ Sorry");

        assertThat(handOver(2).answers().get(0))
                .isEqualTo(new Answer.Refused("550 5.7.26 Mail from contoso.edu is not authenticated. ~ Sorry"));
    }

    @Test
    void aReasonWithoutEndIsCut() {
        server.replyOnce("RCPT", "550-" + "x".repeat(600) + "\r\n550-" + "y".repeat(600) + "\r\n550 z");

        Answer answer = handOver(2).answers().get(0);

        assertThat(((Answer.Refused) answer).reason())
                .asString()
                .startsWith("550 xxx")
                .hasSize(1000)
                .endsWith("y…");
    }

    @Test
    void aReasonIsNotCutWithinACharacter() {
        server.replyOnce("RCPT", "550-" + "x".repeat(993) + "\r\n550 " + "\uD83D\uDE00".repeat(9));

        Answer answer = handOver(2).answers().get(0);

        assertThat(((Answer.Refused) answer).reason()).asString().hasSize(999).endsWith("x …");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2",
                "25",
                "999 what",
                "250xOK",
                "100 wait",
                "250-one\r\n550 two",
                "550-one\r\n250 two"
            })
    void anInvalidReplyEndsTheConversationBeforeAnythingIsTaken(String garbage) {
        server.replyOnce("MAIL", garbage);

        HandOverResult handOver = handOver(2);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.WAIT);
        assertThat(server.mails()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2",
                "354 go ahead",
                "250-one\r\n550 two",
                "250-one\r\n251-two\r\n250 three",
                "550-one\r\n250 two",
                "220 lists.contoso.edu",
                "221 bye",
                "211 all is well",
                "214 read the manual"
            })
    void afterTheMailItLeavesThatMailInDoubt(String garbage) {
        server.replyOnce(".", garbage);

        HandOverResult handOver = handOver(2);

        Reason why = ((Answer.Unknown) handOver.answers().get(0)).reason();
        assertThat(why).returns("SMTP_CUT_OFF", Reason::code);
        assertThat(why.cause(0).code()).isIn("SMTP_SAID", "SMTP_OTHER_ANSWER", "SMTP_CODES_DIFFER");
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.NotAttempted.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"250 taken", "250-taken\r\n250 as 1", "251 taken for somebody else", "200 taken", "299 taken"})
    void repliesThatAreNotAboutSomethingElseTakeTheMail(String reply) {
        server.replyOnce(".", reply);

        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void noReplyIsReadWithoutBounds() {
        server.replyOnce("GREETING", "220 " + "x".repeat(5000));
        assertWait(handOver(2), "a line of more than 4,096 bytes");

        server.replyOnce("GREETING", "220-x\r\n".repeat(300) + "220 x");
        assertWait(handOver(2), "more than 200 lines");
    }

    /** Each text is shown to admins on the page of the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GREETING|421 4.3.2 later|refused the connection: 421 4.3.2 later",
                "EHLO|450 4.3.2 later|refused the connection: 450 4.3.2 later",
                "GREETING|hang up|cannot be reached: it closed the connection",
                "EHLO|hang up|cannot be reached: it closed the connection",
                "GREETING|HTTP/1.1 400 Bad Request|does not answer like an SMTP server: it said “HTTP/1.1 400 Bad Request”",
                "GREETING|\u0001\u0002\u0003|does not answer like an SMTP server: it sent no readable text"
            })
    void theReasonIsTrueAndPlain(String command, String reply, String reason) {
        server.reply(command, reply);

        assertWait(handOver(2), reason);
    }

    /** The time limit for an answer applies to all its lines together. */
    @Test
    void aReplyThatDoesNotEndIsNotWaitedForAnewWithEachLine() {
        server.replyOnce("GREETING", "220-scripted");
        SmtpTransport slow = transport(new SlowTime(Duration.ofMinutes(2)));

        assertWait(handOver(slow, 2), "did not answer in time");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aMessageWhoseEmailsAreTooLargeForTheServerPausesAndNobodyFails(int mails) {
        server.offer("SIZE 65536");
        handOver(2);

        HandOverResult handOver = transport.handOver(lot("x".repeat(65_536), mails), () -> true);

        broke(handOver, 0, Math.min(3, mails));
        assertUnavailable(handOver, Kind.MESSAGE, "accepts no email of more than 65,536 bytes");
        assertThat(handOver.unavailable().orElseThrow().reason())
                .asString()
                .containsPattern("has 68,\\d{3} bytes\\. Shorten the message");
        assertThat(server.recipients()).as("of another message").hasSize(2);
    }

    /** The lot has no other recipient, but others of the same message were sent before. */
    @Test
    void theLargeEmailOfOnePersonFailsAloneOnceOthersOfItsMessageWereTaken() {
        server.offer("SIZE 20000");
        MailContent content = TestMails.content("1", "S", "<p>{{city}}</p>", "x");
        transport.handOver(new MailLot(content, TestMails.mails(2)), () -> true);

        HandOverResult handOver = transport.handOver(new MailLot(content, List.of(large())), () -> true);

        assertThat(handOver.unavailable()).isEmpty();
        assertThat(((Answer.Refused) handOver.answers().get(0)).reason())
                .asString()
                .contains("at most 20,000");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aServerThatTakesTinyEmailsOnlyRefusesUsAndNobodyFails(int mails) {
        server.offer("SIZE 10");

        HandOverResult handOver = handOver(mails);

        assertUnavailable(handOver, Kind.PAUSE, "accepts no email of more than 10 bytes");
        assertThat(handOver.answers()).noneMatch(Answer.Refused.class::isInstance);
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    @Test
    void oneLargeEmailFailsAloneAtAServerThatTakesTheOthers() {
        server.offer("SIZE 20000");
        List<Mail> mails = new ArrayList<>(TestMails.mails(2));
        mails.add(1, large());

        HandOverResult handOver =
                transport.handOver(new MailLot(TestMails.content("1", "S", "<p>{{city}}</p>", "x"), mails), () -> true);

        assertThat(handOver.unavailable()).isEmpty();
        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        assertThat(((Answer.Refused) handOver.answers().get(1)).reason())
                .asString()
                .contains("at most 20,000");
        assertThat(handOver.answers().get(2)).isInstanceOf(Answer.Accepted.class);
    }

    private static Mail large() {
        return TestMails.mail("ann@bench.test", "Ann", Map.of("city", "x".repeat(20_000)));
    }

    private static MailLot lot(String text, int mails) {
        return new MailLot(TestMails.content("large", "S", "<p>x</p>", text), TestMails.mails(mails));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIZE", "SIZE 0", "SIZE 99999999999999999999", "SIZE 10000000"})
    void aSizeThatAllowsTheMailChangesNothing(String size) {
        server.offer(size);

        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    /** Each odd line is sent twice, and more conversations follow than there are connections at a time. */
    @ParameterizedTest
    @ValueSource(strings = {"=", "= =", " ", "", "AUTH", "AUTH=", "SIZE -5", "SIZE junk", "SIZE = 0"})
    void anOddExtensionIsIgnored(String odd) {
        server.offer(odd).offer(odd).reply(".", "421 4.4.5 one email a connection");
        handOver(3);
        server.reply(".", "250 2.0.0 Ok");

        assertThat(handOver(3).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @Test
    void aFromAddressThatSmtpCannotCarryPauses() {
        MailLot lot = new MailLot(
                TestMails.content("1", TestMails.mailbox("käse@contoso.edu", ""), null, "S", "<p>x</p>", "x"),
                TestMails.mails(1));

        HandOverResult handOver = transport.handOver(lot, () -> true);

        assertThat(handOver.unavailable().orElseThrow().kind()).isEqualTo(Kind.PAUSE);
        assertThat(handOver.unavailable().orElseThrow().reason()).asString().contains("SMTPUTF8");
        assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    }

    /** A stored address may be of an older version, which had other rules. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAddressThatSmtpCannotCarryIsRefusedAlone(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        Mail odd = TestMails.mail("ann> SIZE=1 <@bench.test", "", Map.of());
        List<Mail> mails =
                List.of(odd, TestMails.mails(2).get(0), odd, TestMails.mails(2).get(1));

        HandOverResult handOver =
                transport.handOver(new MailLot(TestMails.content("1", "S", "<p>x</p>", "x"), mails), () -> true);

        for (int refused : new int[] {0, 2}) {
            assertThat(handOver.answers().get(refused))
                    .isEqualTo(new Answer.Refused(Reason.of(SmtpReason.SMTP_ADDRESS)));
            assertThat(handOver.answers().get(refused + 1)).isInstanceOf(Answer.Accepted.class);
        }
        assertThat(handOver.unavailable()).isEmpty();
    }

    @Test
    void weSayGoodbye() {
        handOver(2);

        transport.close();

        await().until(() -> server.commands().contains("QUIT"));
    }

    private static void assertWait(HandOverResult handOver, String reason) {
        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, reason);
    }
}
