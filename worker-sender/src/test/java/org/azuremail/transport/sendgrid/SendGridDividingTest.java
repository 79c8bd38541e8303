package org.azuremail.transport.sendgrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.ReceivedMail;
import org.azuremail.transport.sendgrid.FakeSendGrid.Reply;
import org.junit.jupiter.api.Test;

/**
 * Checks lots that do not fit into one request, and requests that SendGrid rejects: which recipients are accepted, with
 * how many further requests.
 */
class SendGridDividingTest extends OnFakeSendGrid {

    @Test
    void oneBadRecipientIsFoundAndTheOthersAreTakenOnce() {
        for (int bad = 1; bad <= 250; bad += 83) {
            FakeSendGrid fresh = new FakeSendGrid();
            String address = String.format("u%07d@bench.test", bad);
            fresh.answer(recipients -> recipients.contains(address) ? Reply.of(400, "bad address") : null);

            HandOverResult handOver = handOver(fresh, 250);

            assertThat(handOver.answers().get(bad - 1)).isEqualTo(new Answer.Refused("400 bad address"));
            assertThat(handOver.answers())
                    .filteredOn(Answer.Accepted.class::isInstance)
                    .hasSize(249);
            assertThat(taken(fresh)).hasSize(249).doesNotContain(address).doesNotHaveDuplicates();
            assertThat(fresh.requests()).hasSizeLessThanOrEqualTo(1 + 2 * 8);
            fresh.close();
        }
    }

    @Test
    void recipientsWhomSendGridNamesAreTriedAloneAndTheOthersGoTogether() {
        Set<String> bad = Set.of("u0000003@bench.test", "u0000200@bench.test");
        server.answer(recipients -> {
            List<Integer> places = IntStream.range(0, recipients.size())
                    .filter(i -> bad.contains(recipients.get(i)))
                    .boxed()
                    .toList();
            return places.isEmpty()
                    ? null
                    : Reply.error(400, "bad address", "personalizations." + places.get(0) + ".to.0.email");
        });

        HandOverResult handOver = handOver(250);

        assertThat(handOver.answers().get(2)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers().get(199)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(248);
        assertThat(taken(server)).hasSize(248).doesNotContainAnyElementsOf(bad).doesNotHaveDuplicates();
    }

    @Test
    void aWronglyNamedRecipientIsNotHarmed() {
        server.answer(recipients -> recipients.contains("u0000005@bench.test")
                ? Reply.error(400, "bad", "personalizations.0.to.0.email")
                : null);

        HandOverResult handOver = handOver(8);

        assertThat(handOver.answers().get(4)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(7);
        assertThat(server.requests()).as("named once, then halved").hasSize(1 + 2 * 4);
    }

    @Test
    void aNamedRecipientWhoIsNotInTheLotLeavesItToBeHalved() {
        server.answer(recipients -> recipients.contains("u0000002@bench.test")
                ? Reply.error(400, "bad", "personalizations.2.to.0.email")
                : null);

        HandOverResult handOver = handOver(2);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Refused.class);
        assertThat(server.requests()).extracting(List::size).containsExactly(2, 1, 1);
    }

    @Test
    void aLotInWhichSendGridNamesEveryRecipientIsHalved() {
        String error = "{\"message\":\"bad\",\"field\":\"personalizations.%d.to.0.email\",\"help\":null}";
        String both = "{\"errors\":[" + error.formatted(0) + "," + error.formatted(1) + "]}";
        server.answer(recipients -> recipients.size() == 2
                ? new Reply(400, both, Map.of())
                : recipients.contains("u0000002@bench.test") ? Reply.of(400, "bad") : null);

        HandOverResult handOver = handOver(2);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Accepted.class);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Refused.class);
        assertThat(server.requests()).extracting(List::size).containsExactly(2, 1, 1);
    }

    @Test
    void aWholeRefusalIsNotDividedToTheEnd() {
        server.answer(recipients -> Reply.error(400, "The from address is wrong", "from.email"));

        HandOverResult handOver = handOver(250);

        assertThat(handOver.answers()).containsOnly(new Answer.Refused("400 The from address is wrong (from.email)"));
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void requestsTooLargeForAGatewayAreDividedUntilTheyFit() {
        server.answer(recipients -> recipients.size() > 70 ? Reply.of(413, "large") : null);

        HandOverResult handOver = handOver(250);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(taken(server)).hasSize(250).doesNotHaveDuplicates();
        assertThat(server.requests())
                .as("after 413 for the first half, the second is not tried whole")
                .extracting(List::size)
                .containsExactly(250, 125, 62, 63, 62, 63);
    }

    @Test
    void aRecipientTooLargeEvenAloneIsRefusedAlone() {
        server.answer(recipients -> recipients.contains("u0000005@bench.test") ? Reply.of(413, "large") : null);

        HandOverResult handOver = handOver(8);

        assertThat(handOver.answers().get(4)).isEqualTo(new Answer.Refused("413 large"));
        assertThat(taken(server)).hasSize(7).doesNotContain("u0000005@bench.test");
    }

    @Test
    void manyBadRecipientsThatAreNamedOneByOneAreFoundOneByOne() {
        Set<String> bad =
                Set.of("u0000003@bench.test", "u0000004@bench.test", "u0000120@bench.test", "u0000200@bench.test");
        server.answer(recipients -> IntStream.range(0, recipients.size())
                .filter(i -> bad.contains(recipients.get(i)))
                .mapToObj(i -> Reply.error(400, "bad address", "personalizations." + i + ".to.0.email"))
                .findFirst()
                .orElse(null));

        HandOverResult handOver = handOver(250);

        assertThat(taken(server)).hasSize(246).doesNotContainAnyElementsOf(bad).doesNotHaveDuplicates();
        assertThat(handOver.answers())
                .filteredOn(Answer.Refused.class::isInstance)
                .hasSize(4);
        assertThat(server.requests()).hasSize(1 + 2 * 4);
    }

    @Test
    void aBusyServerInTheMiddleOfDividingLeavesTheRestUntaken() {
        server.answer(recipients -> {
            if (recipients.size() == 8) {
                return Reply.of(400, "bad");
            }
            return recipients.contains("u0000001@bench.test") ? null : Reply.of(429, "busy");
        });

        HandOverResult handOver = handOver(8);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable()).isPresent();
    }

    @Test
    void anAnswerLostInTheMiddleOfDividingIsUnknownForItsPartAlone() {
        server.answer(recipients -> recipients.size() == 8 ? Reply.of(400, "bad") : Reply.of(502));

        HandOverResult handOver = handOver(8);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable()).isPresent();
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void theGuardIsAskedBeforeEachFurtherRequest() {
        server.answer(recipients -> recipients.size() == 8 ? Reply.of(400, "bad") : null);
        AtomicInteger asked = new AtomicInteger();

        HandOverResult handOver = transport.handOver(lot(8), () -> asked.incrementAndGet() < 2);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.NotAttempted.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(asked).hasValue(2);
    }

    @Test
    void anAddressOutsideAsciiIsRefusedAlone() {
        List<Mail> mails = new ArrayList<>(TestMails.mails(2));
        mails.add(1, TestMails.mail("jürgen@domain.com", "", Map.of()));

        HandOverResult handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Refused.class);
        assertThat(taken(server)).containsExactly("u0000001@bench.test", "u0000002@bench.test");

        MailLot nobody = new MailLot(lot(1).content(), List.of(mails.get(1)));
        assertThat(transport.handOver(nobody, ALWAYS).answers()).hasOnlyElementsOfType(Answer.Refused.class);
        assertThat(server.requests()).as("nothing is asked for nobody").hasSize(1);
    }

    @Test
    void aReplyAddressOutsideAsciiIsLeftOut() {
        MailContent content = TestMails.content(
                "1",
                TestMails.mailbox("news@contoso.edu", ""),
                TestMails.mailbox("jürgen@contoso.edu", ""),
                "S",
                "<p>x</p>",
                "x");

        transport.handOver(new MailLot(content, TestMails.mails(1)), ALWAYS);

        assertThat(server.received()).hasSize(1).allMatch(mail -> mail.replyTo() == null);
    }

    @Test
    void aFromAddressOutsideAsciiPausesAndBurnsNobody() {
        MailContent content =
                TestMails.content("1", TestMails.mailbox("jürgen@contoso.edu", ""), null, "S", "<p>x</p>", "x");

        HandOverResult handOver = transport.handOver(new MailLot(content, TestMails.mails(2)), ALWAYS);

        assertNotAttempted(handOver, Kind.PAUSE, "From address");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void valuesTooLargeToBeSubstitutedGoInARequestOfTheirOwn() {
        List<Mail> mails = new ArrayList<>(TestMails.mails(2));
        mails.add(TestMails.mail("large@domain.com", "", Map.of("name", "x".repeat(20_000))));

        HandOverResult handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.requests()).extracting(List::size).containsExactly(2, 1);
    }

    /** SendGrid counts the names, too, and would reject the recipient. */
    @Test
    void theNamesOfTheTagsCountToTheSizeOfTheSubstitutions() {
        String fields = IntStream.range(0, 40).mapToObj(i -> "{{f" + i + "}}").collect(Collectors.joining());
        MailLot lot = new MailLot(
                TestMails.content("1", "S", "<p></p>", fields),
                List.of(TestMails.mail("many@domain.com", "", Map.of("f0", "x".repeat(9_400)))));

        assertThat(transport.handOver(lot, ALWAYS).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.received()).extracting(ReceivedMail::text).containsExactly("x".repeat(9_400));
    }

    @Test
    void aRequestLargerThanSendGridTakesIsDividedBeforeItIsSent() throws IOException {
        server.withoutReadingMails();
        String html = "<p>" + "ä".repeat(5_000_000) + "{{name}}</p>";
        List<Mail> mails = IntStream.range(0, 1000)
                .mapToObj(i -> TestMails.mail("u" + i + "@bench.test", "", Map.of("name", "x".repeat(9_000))))
                .toList();
        MailLot lot = new MailLot(TestMails.content("1", "S", html, "a".repeat(10_000_000)), mails);

        try (SendGridTransport patient = transport(server.endpoint(), Duration.ofSeconds(120))) {
            assertThat(patient.handOver(lot, ALWAYS).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        }

        assertThat(server.requests()).extracting(List::size).containsExactly(500, 500);
    }
}
