package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks addresses outside ASCII, with servers that offer SMTPUTF8 and with others. */
class SmtpUtf8Test extends OnScriptedServer {

    /** Where the server takes several commands at once, no envelope with such an address follows another email. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAddressOutsideAsciiIsRefusedAlone(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        Mail outside = TestMails.mail("jürgen@domain.com", "", Map.of());
        List<Mail> mails = List.of(
                outside, TestMails.mails(2).get(0), outside, TestMails.mails(2).get(1));

        HandOverResult handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        for (int refused : new int[] {0, 2}) {
            assertThat(((Answer.Refused) handOver.answers().get(refused)).reason())
                    .asString()
                    .startsWith("553 5.6.7 ");
            assertThat(handOver.answers().get(refused + 1)).isInstanceOf(Answer.Accepted.class);
        }
        assertThat(server.commands()).noneMatch(command -> command.contains("jürgen"));
    }

    @Test
    void anAddressOutsideAsciiGoesToAServerThatTakesIt() {
        server.offer("8BITMIME").offer("SMTPUTF8").offer("PIPELINING");
        List<Mail> mails = List.of(
                TestMails.mails(1).get(0),
                TestMails.mail("jürgen@domain.com", "Jürgen", Map.of()),
                TestMails.mail("用户@domain.com", "", Map.of()));

        HandOverResult handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands())
                .filteredOn(said -> said.startsWith("MAIL"))
                .containsExactly(
                        "MAIL FROM:<news@contoso.edu>",
                        "MAIL FROM:<news@contoso.edu> SMTPUTF8",
                        "MAIL FROM:<news@contoso.edu> SMTPUTF8");
        assertThat(server.recipients()).endsWith("jürgen@domain.com", "用户@domain.com");
        assertThat(server.mails().get(1)).contains("<jürgen@domain.com>");
    }

    /** Else its header would need SMTPUTF8 for every recipient. */
    @Test
    void aReplyAddressOutsideAsciiIsLeftOutWhereTheEmailNeedsNoSmtpUtf8() {
        MailContent content = TestMails.content(
                "1",
                TestMails.mailbox("news@contoso.edu", ""),
                TestMails.mailbox("jürgen@contoso.edu", ""),
                "S",
                "<p>x</p>",
                "x");

        HandOverResult handOver = transport.handOver(new MailLot(content, TestMails.mails(1)), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.commands()).contains("MAIL FROM:<news@contoso.edu>");
        assertThat(server.mails()).hasSize(1).allMatch(mail -> mail.chars().allMatch(c -> c < 128));
    }
}
