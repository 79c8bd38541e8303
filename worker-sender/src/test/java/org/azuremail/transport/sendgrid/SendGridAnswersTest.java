package org.azuremail.transport.sendgrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Answer;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.sendgrid.FakeSendGrid.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the effect of every answer of SendGrid on the recipients of the request. */
@Execution(ExecutionMode.CONCURRENT)
class SendGridAnswersTest extends OnFakeSendGrid {

    @Test
    void oneRequestCarriesTheWholeLot() {
        HandOverResult handOver = handOver(250);

        assertThat(handOver.answers()).hasSize(250).containsOnly(new Answer.Accepted("request-1"));
        assertThat(server.requests()).hasSize(1);
        assertThat(transport.lotSize()).isEqualTo(250);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void e25_aWrongKeyOrSenderPausesAndBurnsNobody(int status) {
        server.answer(recipients -> Reply.of(status, "The from address does not match a verified Sender Identity"));

        HandOverResult handOver = handOver(3);

        assertNotAttempted(handOver, Kind.PAUSE, status + " The from address does not match");
        assertThat(handOver.unavailable().orElseThrow().reason().words())
                .contains("Check the key under Settings › Sending");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void e25_theKeyIsSentAndNeverShown() {
        server.requireKey("SG.right");
        assertNotAttempted(handOver(1), Kind.PAUSE, "401 authorization required");
        server.requireKey("SG.key");
        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);

        assertThat(new SendGridProperties("SG.key", server.endpoint(), 1, null).toString())
                .doesNotContain("SG.key");
    }

    @ParameterizedTest
    @CsvSource({
        "429,X-RateLimit-Reset,1767268845,45,true",
        "429,x-ratelimit-reset,1,1,true",
        "429,X-RateLimit-Reset,soon,30,true",
        "429,Retry-After,17,17,true",
        "503,Retry-After,'Thu, 1 Jan 2026 12:02:00 GMT',120,true",
        "503,Retry-After,soon,30,true",
        "429,Retry-After,0,1,true",
        "429,Retry-After,-1,30,true",
        "429,Retry-After,999999999,3600,true",
        "503,Other,1,30,false"
    })
    void theLotWaitsAsLongAsABusySendGridSays(int status, String header, String value, int seconds, boolean asked) {
        server.answer(recipients -> Reply.of(status, "busy").with(header, value));

        HandOverResult handOver = handOver(3);

        assertNotAttempted(handOver, Kind.WAIT, status + " busy");
        assertThat(handOver.unavailable().orElseThrow().retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(handOver.unavailable().orElseThrow().asked()).isEqualTo(asked);
    }

    /** Any machine between us and SendGrid may answer with a body of its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "null", "[]", "<html>busy</html>", "{\"errors\":\"busy\"}", "{\"errors\":[null]}"})
    void anAnswerIsUnderstoodByItsStatusWhateverItsBody(String body) {
        server.answer(recipients -> new Reply(503, body, Map.of()));

        assertNotAttempted(handOver(2), Kind.WAIT, "503");
    }

    /** The reason is stored with each recipient. */
    @Test
    void aReasonWithoutEndIsCut() {
        server.answer(recipients -> Reply.of(400, "x".repeat(100_000)));

        assertThat(handOver(1).answers()).first().satisfies(answer -> assertThat(((Answer.Refused) answer).reason())
                .asString()
                .startsWith("400 xxx")
                .hasSize(501)
                .endsWith("x…"));
    }

    /** Neither emails nor the key are sent. */
    @Test
    void nothingIsSentInTheClearToAnEncryptedEndpoint() throws IOException {
        URI encrypted = URI.create("https://localhost:" + server.endpoint().getPort());

        try (SendGridTransport safe = transport(encrypted, Duration.ofSeconds(2), Duration.ofSeconds(18))) {
            assertNotAttempted(safe.handOver(lot(1), ALWAYS), Kind.WAIT, "cannot be reached");
        }

        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 504, 520})
    void aBrokenServerLeavesTheWholeRequestUnknown(int status) {
        server.answer(recipients -> Reply.of(status));

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers()).hasSize(3).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.requests()).as("nothing is repeated behind our back").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void anAnswerThatNeverComesLeavesTheWholeRequestUnknown(int noAnswer) throws IOException {
        server.answer(recipients -> Reply.of(noAnswer));

        HandOverResult handOver;
        try (SendGridTransport impatient = transport(server.endpoint(), Duration.ofSeconds(2))) {
            handOver = impatient.handOver(lot(3), ALWAYS);
        }

        assertThat(handOver.answers()).hasSize(3).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(server.requests()).hasSize(1);
    }

    /** SendGrid only answers 202; the sign-in page of a network answers 200. */
    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204})
    void i1_anotherYesThanSendGridsIsNoProofThatTheMailsWereTaken(int status) {
        server.answer(recipients -> new Reply(status, "", Map.of()));

        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Unknown.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>ok</html>", "{\"errors\":[{\"message\":\"no\"}]}", "{"})
    void anAcceptedRequestCountsWhateverItsBodySays(String body) {
        server.answer(recipients -> new Reply(202, body, Map.of("X-Message-Id", "abc")));

        assertThat(handOver(2).answers()).containsOnly(new Answer.Accepted("abc"));
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 202 Accepted\r\nX-Message-Id: abc\r\nContent-Length: 10\r\n\r\n123',Accepted",
        "'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12',Accepted",
        "'HTTP/1.1 400 Bad\r\nContent-Length: 10\r\n\r\n123',Refused",
        "'HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12',NotAttempted",
        "'HTTP/1.1 429 Busy\r\nRetry-After: 7\r\nContent-Length: 10\r\n\r\n123',NotAttempted",
        "'HTTP/1.1 500 Oh\r\nContent-Length: 10\r\n\r\n123',Unknown",
        "'HTTP/1.1 40',Unknown",
        "'HTTP/1.1 202 Acce',Accepted",
        "'HTTP/1.1 20',Unknown",
        "'SSH-2.0-OpenSSH_9.2\r\n',Unknown",
        "'',Unknown"
    })
    void anAnswerThatBreaksOffCountsAsFarAsItsHead(String answer, String expected) throws Exception {
        try (RawAnswer raw = new RawAnswer(answer.replace("\\r\\n", "\r\n"), false);
                SendGridTransport to = transport(raw.endpoint())) {
            assertThat(to.handOver(lot(3), ALWAYS).answers()).hasSize(3).allSatisfy(one -> assertThat(
                            one.getClass().getSimpleName())
                    .isEqualTo(expected));
        }
    }

    /** The limit for silence alone would let the answer last forever, until the lease of the lot ends. */
    @Test
    void anAnswerThatTricklesIsCutOff() throws Exception {
        ManualTime time = new ManualTime();
        try (RawAnswer raw = new RawAnswer("HTTP/1.1 500 Oh\r\nX-Slow: ", true);
                SendGridTransport to = new SendGridTransport(
                        new SendGridProperties("SG.key", raw.endpoint(), 250, null),
                        time,
                        new SeededIds(1),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(18),
                        Conversation.NONE)) {
            CompletableFuture<HandOverResult> handOver =
                    CompletableFuture.supplyAsync(() -> to.handOver(lot(3), ALWAYS));
            await().until(() -> {
                time.advance(Duration.ofSeconds(19));
                to.closeOverdue();
                return handOver.isDone();
            });
            assertThat(handOver.join().answers()).hasSize(3).hasOnlyElementsOfType(Answer.Unknown.class);
        }
    }

    /** An answer that fills the memory of a sender would stop all of its messages. */
    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 202 Accepted\\r\\nX-Message-Id: abc\\r\\n\\r\\n',Accepted",
        "'HTTP/1.1 500 Oh\\r\\n\\r\\n',Unknown",
        "'HTTP/1.1 429 Busy\\r\\n\\r\\n',NotAttempted",
        "'HTTP/1.1 202 Accepted\\r\\nX-Long: ',Unknown"
    })
    void onlyTheBeginningOfAnAnswerWithoutEndIsRead(String answer, String expected) throws Exception {
        try (RawAnswer raw = RawAnswer.thatFloods(answer.replace("\\r\\n", "\r\n"));
                SendGridTransport to = transport(raw.endpoint())) {
            CompletableFuture<HandOverResult> handOver =
                    CompletableFuture.supplyAsync(() -> to.handOver(lot(3), ALWAYS));
            assertThat(handOver).succeedsWithin(Duration.ofSeconds(30));
            assertThat(handOver.join().answers()).hasSize(3).allSatisfy(one -> assertThat(
                            one.getClass().getSimpleName())
                    .isEqualTo(expected));
        }
    }

    @Test
    void aServerThatIsNotThereIsWaitedFor() {
        server.close();

        assertNotAttempted(handOver(3), Kind.WAIT, "cannot be reached: nothing listens there");
    }

    @Test
    void anUnknownHostIsWaitedFor() throws IOException {
        try (SendGridTransport elsewhere = transport(URI.create("http://no-such-host.invalid"))) {
            assertNotAttempted(elsewhere.handOver(lot(1), ALWAYS), Kind.WAIT, "no-such-host.invalid");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 404, 405})
    void anAnswerOfAnotherApiPauses(int status) {
        server.answer(recipients -> Reply.of(status));

        assertNotAttempted(handOver(2), Kind.PAUSE, "not SendGrid’s API");
    }

    /** A success from the other server would look like one from SendGrid, and the emails would be lost. */
    @ParameterizedTest
    @ValueSource(ints = {302, 303, 307})
    void anAnswerThatPointsElsewhereIsNotFollowed(int status) throws Exception {
        try (RawAnswer elsewhere = new RawAnswer("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", false)) {
            String page = elsewhere.endpoint().toString();
            server.answer(recipients -> Reply.of(status).with("Location", page));

            assertNotAttempted(handOver(2), Kind.PAUSE, "not SendGrid’s API");
        }
    }

    @Test
    void aConnectionThatTheServerClosedAtRestDoesNotMakeUnknowns() {
        assertThat(handOver(1).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        int port = server.endpoint().getPort();
        server.close();
        // A connection is checked only if it has been idle for a millisecond. A request that follows sooner is sent
        // unchecked.
        await().pollDelay(Duration.ofMillis(3)).until(() -> true);

        assertThat(handOver(1).answers())
                .as("nobody listens on %d any more", port)
                .hasOnlyElementsOfType(Answer.NotAttempted.class);
    }

    @Test
    void valuesThatLookLikeTagsStayWhatTheyAre() {
        List<Mail> mails =
                List.of(TestMails.mail("ann@domain.com", "", Map.of("name", "%x0% %0000x0%", "city", "%x1%")));

        transport.handOver(
                new MailLot(TestMails.content("1", "S", "<p>{{name}}{{city}}</p>", "{{name}}{{city}}"), mails), ALWAYS);

        assertThat(server.received().get(0).text()).isEqualTo("%x0% %0000x0%%x1%");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api.sendgrid.com", "ftp://x", "https:///x"})
    void anEndpointThatIsNoUrlIsRefused(String endpoint) {
        assertThatThrownBy(() -> new SendGridProperties("k", URI.create(endpoint), 1, null))
                .hasMessageContaining("azuremail.mail.sendgrid.endpoint");
    }
}
