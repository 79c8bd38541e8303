package org.azuremail.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.transport.smtp.SmtpProperties.Starttls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks connections that are opened, shared, idle, cut off, or unavailable. */
@Execution(ExecutionMode.CONCURRENT)
class SmtpConnectionsTest extends OnScriptedServer {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void severalMailsShareAConnectionAndLotsToo() {
        handOver(5);
        handOver(5);

        assertThat(server.recipients()).hasSize(10);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void preparingOpensTheConnectionThatTheLotUses() {
        assertThat(transport.prepare(() -> true)).isEmpty();
        assertThat(server.connections()).isEqualTo(1);

        handOver(2);

        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void noMoreConnectionsAreOpenThanAllowed() throws InterruptedException {
        SmtpTransport narrow = transport(null, null, Starttls.AUTO, 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<HandOverResult> first = new AtomicReference<>();
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

        assertThat(narrow.prepare(() -> true))
                .as("somebody else holds the only connection: that is no reason to wait")
                .isEmpty();
        goOn.countDown();
        assertThat(handOver(narrow, 2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        holder.join();

        assertThat(first.get().answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void aServerThatIsNotThereIsWaitedFor() {
        server.close();

        HandOverResult handOver = handOver(2);

        untaken(handOver, 0);
        assertUnavailable(handOver, Kind.WAIT, "cannot be reached: nothing listens there");
        assertThat(transport.prepare(() -> true))
                .hasValueSatisfying(why -> assertThat(why.kind()).isEqualTo(Kind.WAIT));
    }

    @Test
    void anUnknownHostIsWaitedFor() {
        SmtpTransport elsewhere = transport(properties("no-such-host.invalid", null, null, Starttls.AUTO, 1));

        assertUnavailable(handOver(elsewhere, 1), Kind.WAIT, "no-such-host.invalid");
    }

    @Test
    void aConnectionThatDiesAfterTheFinalDotIsUnknownForThatMailAlone() {
        server.hangUpOnce(".");

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Unknown.class);
        untaken(handOver, 1);
        assertThat(server.recipients()).containsExactly("u0000001@bench.test");
    }

    @Test
    void theLastMailInDoubtLeavesNobodyUntaken() {
        server.hangUpOnce(".");

        HandOverResult handOver = handOver(1);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Unknown.class);
        assertThat(handOver.unavailable()).isEmpty();
    }

    @Test
    void aNewConnectionThatDiesBeforeARecipientIsNamedIsWaitedFor() {
        server.hangUpOnce("MAIL");

        HandOverResult handOver = handOver(2);

        nothingTakenOf(handOver, 1);
        assertThat(handOver(2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RCPT", "DATA"})
    void aNewConnectionThatDiesAtARecipientIsReplacedForTheNext(String command) {
        server.hangUpOnce(command);

        HandOverResult handOver = handOver(2);

        broke(handOver, 0, 1);
        assertThat(handOver.answers().get(1)).isInstanceOf(Answer.Accepted.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.connections()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"RCPT TO:<u0000002,''", "RCPT TO:<u0000002,421 4.4.5 too many mails on this connection"})
    void aProvenConnectionThatEndsBetweenMailsIsReplaced(String command, String reply) {
        if (reply.isEmpty()) {
            server.hangUpOnce(command);
        } else {
            server.replyOnce(command, reply);
        }

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.recipients())
                .containsExactly("u0000001@bench.test", "u0000002@bench.test", "u0000003@bench.test");
    }

    /** It hangs up only after it has answered the email, so the next recipient is not the cause. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatHangsUpAfterItRefusedAnEmailGetsTheNextOverAnotherConnection(boolean pipelining) {
        if (pipelining) {
            server.offer("PIPELINING");
        }
        server.replyOnce(".", "554 5.6.0 no").replyAt(1, "MAIL", ScriptedSmtpServer.HANG_UP);

        HandOverResult handOver = handOver(3);

        assertThat(handOver.answers().get(0)).isInstanceOf(Answer.Refused.class);
        assertThat(handOver.answers().subList(1, 3)).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver.unavailable()).isEmpty();
        assertThat(server.recipients()).hasSize(2).doesNotHaveDuplicates();
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

    /** Otherwise, each such failure would cost one of the connections until the process ends. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailureOfOursWhileAConnectionIsOpenedCostsNoConnection(boolean another) {
        SmtpTransport narrow = transport(null, null, Starttls.AUTO, 1);
        if (another) {
            handOver(narrow, 1);
            server.hangUpOnAll();
        }
        server.replyOnce("GREETING", ScriptedSmtpServer.SILENCE);
        int before = server.connections();

        assertThatThrownBy(() -> narrow.handOver(lot(2), () -> {
                    if (server.connections() > before) {
                        throw new IllegalStateException("ours");
                    }
                    return true;
                }))
                .hasMessage("ours");

        assertThat(handOver(narrow, 2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
        assertThat(handOver(narrow, 2).answers()).hasOnlyElementsOfType(Answer.Accepted.class);
    }

    /** The other callers have lists on other transports to serve. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatNeverGreetsKeepsOneCallerOnly(boolean signsIn) {
        server.fallSilent("GREETING");
        SmtpTransport many = transport(signsIn ? "user" : null, signsIn ? "secret" : null, Starttls.AUTO, 10);
        List<CompletableFuture<Optional<Unavailable>>> callers = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> many.prepare(() -> true), threads))
                .limit(9)
                .toList();
        await().until(() -> server.connections() == (signsIn ? 1 : 9));

        time.advance(Duration.ofSeconds(16));

        await().until(() -> callers.stream().filter(CompletableFuture::isDone).count() == 8);
        assertThat(callers).filteredOn(CompletableFuture::isDone).allSatisfy(caller -> assertThat(why(caller.join()))
                .isEqualTo("SMTP_SILENT"));
        assertThat(why(many.prepare(() -> true))).as("whoever comes later").isEqualTo("SMTP_SILENT");
        assertUnavailable(handOver(many, 2), Kind.WAIT, "does not answer");
        assertThat(server.connections()).isEqualTo(signsIn ? 1 : 9);

        time.advance(Duration.ofMinutes(5));

        await().until(() -> callers.stream().allMatch(CompletableFuture::isDone));
        server.reply("GREETING", "220 here again");
        assertThat(many.prepare(() -> true)).as("nobody waits any longer").isEmpty();
    }

    @Test
    void aStopEndsTheWaitForAGreeting() {
        server.fallSilent("GREETING");

        assertThat(why(transport.prepare(() -> false))).isEqualTo("SMTP_NOT_ASKED");
    }

    private static String why(Optional<Unavailable> unavailable) {
        return unavailable.orElseThrow().reason().code();
    }
}
