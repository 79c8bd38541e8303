package org.azuremail.transport.sendgrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.ReceivedMail;
import org.azuremail.transport.sendgrid.FakeSendGrid.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer of SendGrid, and what it means for the recipients of the request. */
class SendGridAnswersTest {

    private static final Guard ALWAYS = () -> true;

    private final FakeSendGrid server = new FakeSendGrid();
    private final SendGridTransport transport = transport(server.endpoint());

    @AfterEach
    void close() throws IOException {
        transport.close();
        server.close();
    }

    @Test
    void oneRequestCarriesTheWholeLot() {
        HandOver handOver = handOver(250);

        assertThat(handOver.answers()).hasSize(250).containsOnly(new Answer.Accepted("request-1"));
        assertThat(server.requests()).hasSize(1);
        assertThat(transport.lotSize()).isEqualTo(250);
    }

    @Test
    void oneBadRecipientIsFoundAndTheOthersAreTakenOnce() {
        for (int bad = 1; bad <= 250; bad += 83) {
            FakeSendGrid fresh = new FakeSendGrid();
            String address = String.format("u%07d@bench.test", bad);
            fresh.answer(recipients -> recipients.contains(address) ? Reply.of(400, "bad address") : null);

            HandOver handOver = handOver(fresh, 250);

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
    void whomSendGridNamesIsTriedAloneAndTheOthersGoTogether() {
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

        HandOver handOver = handOver(250);

        assertThat(handOver.answers().get(2)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers().get(199)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(248);
        assertThat(taken(server)).hasSize(248).doesNotContainAnyElementsOf(bad).doesNotHaveDuplicates();
    }

    @Test
    void whoIsNamedWronglyIsNotHarmed() {
        server.answer(recipients -> recipients.contains("u0000005@bench.test")
                ? Reply.error(400, "bad", "personalizations.0.to.0.email")
                : null);

        HandOver handOver = handOver(8);

        assertThat(handOver.answers().get(4)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers())
                .filteredOn(Answer.Accepted.class::isInstance)
                .hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413})
    void aWholeRefusalIsNotDividedToTheEnd(int status) {
        server.answer(recipients -> Reply.error(status, "The from address is wrong", "from.email"));

        HandOver handOver = handOver(250);

        assertThat(handOver.answers())
                .containsOnly(new Answer.Refused(status + " The from address is wrong (from.email)"));
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void e25_aWrongKeyOrSenderPausesAndBurnsNobody(int status) {
        server.answer(recipients -> Reply.of(status, "The from address does not match a verified Sender Identity"));

        HandOver handOver = handOver(3);

        assertUntaken(handOver, Kind.PAUSE, status + " The from address does not match");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void e25_theKeyIsSentAndNeverShown() {
        server.requireKey("SG.right");
        assertUntaken(handOver(1), Kind.PAUSE, "401 authorization required");
        server.requireKey("SG.key");
        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        assertThat(new SendGridProperties("SG.key", server.endpoint(), 1).toString())
                .doesNotContain("SG.key");
    }

    @ParameterizedTest
    @CsvSource({
        "429,X-RateLimit-Reset,1767268845,45",
        "429,x-ratelimit-reset,1,1",
        "429,Retry-After,17,17",
        "503,Retry-After,'Thu, 1 Jan 2026 12:02:00 GMT',120",
        "503,Retry-After,soon,30",
        "429,Retry-After,999999999,3600",
        "503,Other,1,30"
    })
    void whereSendGridIsBusyTheLotWaitsAsLongAsItSays(int status, String header, String value, int seconds) {
        server.answer(recipients -> Reply.of(status, "busy").with(header, value));

        HandOver handOver = handOver(3);

        assertUntaken(handOver, Kind.WAIT, status + " busy");
        assertThat(handOver.unavailable().orElseThrow().retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 504, 520})
    void aBrokenServerLeavesTheWholeRequestUnknown(int status) {
        server.answer(recipients -> Reply.of(status));

        HandOver handOver = handOver(3);

        assertThat(handOver.answers()).hasSize(3).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.requests()).as("nothing is repeated behind our back").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void anAnswerThatNeverComesLeavesTheWholeRequestUnknown(int noAnswer) throws IOException {
        server.answer(recipients -> Reply.of(noAnswer));

        HandOver handOver;
        try (SendGridTransport impatient = transport(server.endpoint(), Duration.ofSeconds(2))) {
            handOver = impatient.handOver(lot(3), ALWAYS);
        }

        assertThat(handOver.answers()).hasSize(3).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aServerThatIsNotThereIsWaitedFor() {
        server.close();

        assertUntaken(handOver(3), Kind.WAIT, "cannot be reached");
    }

    @Test
    void anUnknownHostIsWaitedFor() throws IOException {
        try (SendGridTransport elsewhere = transport(URI.create("http://no-such-host.invalid"))) {
            assertUntaken(elsewhere.handOver(lot(1), ALWAYS), Kind.WAIT, "no-such-host.invalid");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 404, 405})
    void whatIsNoSendGridPauses(int status) {
        server.answer(recipients -> Reply.of(status));

        assertUntaken(handOver(2), Kind.PAUSE, "not SendGrid's API");
    }

    @Test
    void aConnectionThatTheServerClosedAtRestDoesNotMakeUnknowns() {
        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        int port = server.endpoint().getPort();
        server.close();
        // At rest means for a millisecond at least: a request that follows sooner goes out unlooked.
        await().pollDelay(Duration.ofMillis(3)).until(() -> true);

        assertThat(handOver(1).answers())
                .as("nobody listens on %d any more", port)
                .hasOnlyElementsOfType(Answer.Untaken.class);
    }

    @Test
    void aBusyServerInTheMiddleOfDividingLeavesTheRestUntaken() {
        server.answer(recipients -> {
            if (recipients.size() == 8) {
                return Reply.of(400, "bad");
            }
            return recipients.contains("u0000001@bench.test") ? null : Reply.of(429, "busy");
        });

        HandOver handOver = handOver(8);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(handOver.unavailable()).isPresent();
    }

    @Test
    void anAnswerLostInTheMiddleOfDividingIsUnknownForItsPartAlone() {
        server.answer(recipients -> recipients.size() == 8 ? Reply.of(400, "bad") : Reply.of(502));

        HandOver handOver = handOver(8);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(handOver.unavailable()).isPresent();
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void theGuardIsAskedBeforeEachFurtherRequest() {
        server.answer(recipients -> recipients.size() == 8 ? Reply.of(400, "bad") : null);
        AtomicInteger asked = new AtomicInteger();

        HandOver handOver = transport.handOver(lot(8), () -> asked.incrementAndGet() < 2);

        assertThat(handOver.answers().subList(0, 4)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.answers().subList(4, 8)).hasOnlyElementsOfType(Answer.Untaken.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(asked).hasValue(2);
    }

    @Test
    void anAddressOutsideAsciiIsRefusedAlone() {
        List<Mail> mails = new ArrayList<>(TestMails.mails(2));
        mails.add(1, TestMails.mail("jürgen@domain.com", "", Map.of()));

        HandOver handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Refused.class);
        assertThat(taken(server)).containsExactly("u0000001@bench.test", "u0000002@bench.test");
    }

    @Test
    void valuesTooLargeToBeSubstitutedGoInARequestOfTheirOwn() {
        List<Mail> mails = new ArrayList<>(TestMails.mails(2));
        mails.add(TestMails.mail("large@domain.com", "", Map.of("name", "x".repeat(20_000))));

        HandOver handOver = transport.handOver(new MailLot(lot(1).content(), mails), ALWAYS);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.requests()).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void valuesThatLookLikeTagsStayWhatTheyAre() {
        List<Mail> mails =
                List.of(TestMails.mail("ann@domain.com", "", Map.of("name", "%x0% %0000x0%", "city", "%x1%")));

        transport.handOver(
                new MailLot(TestMails.content("1", "S", "<p>{{name}}{{city}}</p>", "{{name}}{{city}}"), mails), ALWAYS);

        assertThat(server.received().get(0).text()).isEqualTo("%x0% %0000x0%%x1%");
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

    @ParameterizedTest
    @ValueSource(strings = {"api.sendgrid.com", "ftp://x", "https:///x"})
    void anEndpointThatIsNoUrlIsRefused(String endpoint) {
        assertThatThrownBy(() -> new SendGridProperties("k", URI.create(endpoint), 1))
                .hasMessageContaining("azuremail.mail.sendgrid.endpoint");
    }

    private static void assertUntaken(HandOver handOver, Kind kind, String reason) {
        assertThat(handOver.answers()).isNotEmpty().hasOnlyElementsOfType(Answer.Untaken.class);
        Unavailable unavailable = handOver.unavailable().orElseThrow();
        assertThat(unavailable.kind()).isEqualTo(kind);
        assertThat(unavailable.reason()).contains(reason);
    }

    private static List<String> taken(FakeSendGrid server) {
        return server.received().stream()
                .map(ReceivedMail::to)
                .map(to -> to.address().value())
                .toList();
    }

    private HandOver handOver(int mails) {
        return transport.handOver(lot(mails), ALWAYS);
    }

    private static HandOver handOver(FakeSendGrid server, int mails) {
        try (SendGridTransport transport = transport(server.endpoint())) {
            return transport.handOver(lot(mails), ALWAYS);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static MailLot lot(int mails) {
        return new MailLot(TestMails.content("1", "S", "<p>{{name}}</p>", "{{name}}"), TestMails.mails(mails));
    }

    private static SendGridTransport transport(URI endpoint) {
        return transport(endpoint, Duration.ofSeconds(18));
    }

    private static SendGridTransport transport(URI endpoint, Duration answer) {
        return new SendGridTransport(
                new SendGridProperties("SG.key", endpoint, 250),
                new ManualTime(),
                new SeededIds(1),
                Duration.ofSeconds(10),
                answer);
    }
}
