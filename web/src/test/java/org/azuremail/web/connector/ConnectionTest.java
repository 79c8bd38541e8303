package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks connections that send several requests, are slow with their head, or are too many. */
class ConnectionTest extends OnTwoThreads {

    private static final String NEXT = "GET /count HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void connectionServesMoreRequestsAfterASlowBody() throws IOException {
        Caller caller = call().send(POST + "Content-Length: 4\r\n\r\na");
        await().until(() -> bodies.count() == 1);
        assertThat(caller.send("bcd" + POST + "Content-Length: 1\r\n\r\nx").answer())
                .endsWith("4 WHOLE");

        assertThat(caller.answer()).endsWith("1 AT_ONCE");
        assertThat(caller.send(CHUNKED).chunk(60_000).send("0\r\n\r\n").answer())
                .endsWith("60000 WHOLE");
        assertThat(caller.send("GET /count HTTP/1.1\r\nHost: x\r\n\r\n").answer())
                .endsWith("0 AT_ONCE");
    }

    @Test
    void clientThatEndsSendingBehindItsChunksIsAnswered() throws IOException {
        List<Caller> busy = List.of(call(), call());
        for (Caller one : busy) {
            one.send("GET /count HTTP/1.1\r\nHost: x\r\nX-Stream: busy\r\n\r\n");
        }
        await().until(() -> served.size() == busy.size());

        Caller caller = call().send(CHUNKED).chunk(4).send("0\r\n\r\n").endSending();
        doors.countDown();

        assertThat(caller.answer()).endsWith("4 WHOLE");
    }

    @Test
    void headThatComesByAndByHasADeadlineAsAWhole() throws IOException {
        Caller caller = call().send("GET /count HTTP/1.1\r\nHost: x\r\nX-Slow: a");

        await().until(() -> {
            time.advance(HeadDeadlineProcessor.HEAD_TIMEOUT.plusSeconds(1));
            caller.send("a");
            return caller.isClosedWithinMillis(200);
        });
    }

    @Test
    void fullHouseEndsTheMostSilentConnection() throws IOException {
        LowWakeupProtocol protocol =
                (LowWakeupProtocol) server.getTomcat().getConnector().getProtocolHandler();
        protocol.setMaxConnections(20);
        Caller first = call().send("GET /count HTTP/1.1\r\nHost: x\r\n");
        Caller slow = call().send(POST + "Content-Length: 2\r\n\r\na");
        await().until(() -> bodies.count() == 1);

        for (int i = 0; i < 60; i++) {
            assertThat(call().send(POST + "Content-Length: 1\r\n\r\na").answer())
                    .endsWith("1 AT_ONCE");
        }

        assertThat(first.isClosedWithinMillis(20_000)).isTrue();
        assertThat(slow.send("b").answer()).endsWith("2 WHOLE");
    }

    @Test
    void othersAreServedBetweenTwoRequestsThatOneClientSendsAhead() throws IOException {
        List<Caller> ahead = List.of(call(), call());
        for (Caller one : ahead) {
            one.send("GET /count HTTP/1.1\r\nHost: x\r\nX-Stream: ahead\r\n\r\n".repeat(90));
        }
        await().until(() -> served.size() == 2);
        Caller visitor = call().send("GET /count HTTP/1.1\r\nHost: x\r\nX-Stream: visitor\r\n\r\n");
        await().until(() -> waitingForAThread() == 1);

        doors.countDown();

        assertThat(visitor.answer()).endsWith("0 AT_ONCE");
        for (int i = 0; i < 90; i++) {
            assertThat(ahead.get(0).answer()).endsWith("0 AT_ONCE");
            assertThat(ahead.get(1).answer()).endsWith("0 AT_ONCE");
        }
        assertThat(served.indexOf("visitor")).isLessThan(60);
    }

    /** Some of these requests end where a read of Tomcat ends, so that the next request is still in the socket. */
    @ParameterizedTest
    @ValueSource(ints = {8192, 8191, 8190, 16384})
    void answersAreInTheOrderOfTheRequestsWhereverAChunkedBodyEnds(int bytes) throws IOException {
        Caller caller = call().send(chunked(bytes) + NEXT);

        assertThat(caller.answer()).endsWith(" WHOLE");
        assertThat(caller.answer()).endsWith("0 AT_ONCE");
    }

    /** Returns a request of this size whose body has one chunk. */
    private static String chunked(int bytes) {
        String end = "\r\n0\r\n\r\n";
        int length = bytes - CHUNKED.length() - "00000\r\n".length() - end.length();
        return CHUNKED + "%05x\r\n".formatted(length) + "a".repeat(length) + end;
    }

    private int waitingForAThread() {
        return server.getTomcat().getConnector().getProtocolHandler().getExecutor() instanceof ThreadPoolExecutor pool
                ? pool.getQueue().size()
                : -1;
    }

    @Test
    void bodiesOfRequestsSentAheadArriveWithTheirOwn() throws IOException {
        Caller caller = call();
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= 20; i++) {
            all.append(i % 2 == 0 ? POST : WRONG_KEY)
                    .append("Content-Length: ")
                    .append(i)
                    .append("\r\n\r\n")
                    .append("a".repeat(i));
            all.append(CHUNKED).append("3\r\nabc\r\n0\r\n\r\n");
        }

        caller.send(all.toString());

        for (int i = 1; i <= 20; i++) {
            assertThat(caller.answer()).endsWith(i % 2 == 0 ? i + " AT_ONCE" : "nothing read");
            assertThat(caller.answer()).endsWith("3 WHOLE");
        }
    }
}
