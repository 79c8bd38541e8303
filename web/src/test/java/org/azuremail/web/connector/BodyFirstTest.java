package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ActionHook;
import org.apache.coyote.Adapter;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.azuremail.time.ManualTime;
import org.azuremail.web.connector.RequestBody.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.test.util.ReflectionTestUtils;

/** Two request threads, and clients that would like to have them. */
class BodyFirstTest {

    private static final String POST = "POST /count HTTP/1.1\r\nHost: x\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String WRONG_KEY = POST + "X-Wrong-Key: x\r\n";
    private static final long ALLOWED = 1_000_000;

    private final ManualTime time = new ManualTime();
    private final List<Caller> callers = new ArrayList<>();
    private final List<String> served = new CopyOnWriteArrayList<>();
    private final CountDownLatch doors = new CountDownLatch(1);
    private BodiesAwaited bodies;
    private TomcatWebServer server;

    /** Says how many bytes it read. */
    private final class Counting extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getHeader("X-Stream") != null) {
                stream(request.getHeader("X-Stream"));
            }
            if (request.getHeader("X-Wrong-Key") != null) {
                response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
                response.getWriter().print("nothing read");
                return;
            }
            RequestBody body = (RequestBody) request.getAttribute(RequestBody.ATTRIBUTE);
            if (body != null && body.arrival() == Arrival.LARGE && request.getHeader("X-Admin") != null) {
                body.allow(ALLOWED);
            }
            String read = body != null && body.arrival() != Arrival.WHOLE && body.arrival() != Arrival.LARGE
                    ? "none"
                    : String.valueOf(request.getInputStream().readAllBytes().length);
            response.getWriter().print(read + " " + (body == null ? "AT_ONCE" : body.arrival()));
        }

        private void stream(String name) {
            served.add(name);
            try {
                doors.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void start() {
        start(new BodiesAwaited(1 << 20, BodiesAwaited.PATIENCE));
    }

    private void start(BodiesAwaited some) {
        bodies = some;
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(InetAddress.getLoopbackAddress());
        new ConnectorConfiguration().restingProtocol(time).customize(factory);
        factory.addConnectorCustomizers(connector -> {
            RestingProtocol protocol = (RestingProtocol) connector.getProtocolHandler();
            protocol.setMaxThreads(2);
            protocol.setMinSpareThreads(1);
            protocol.setSelectorTimeout(Duration.ofHours(1).toMillis());
            protocol.setBodies(some);
        });
        server = (TomcatWebServer) factory.getWebServer(
                context -> context.addServlet("counting", new Counting()).addMapping("/count"));
        server.start();
    }

    private void restart(BodiesAwaited some) {
        stop();
        start(some);
    }

    @AfterEach
    void stop() {
        callers.forEach(Caller::close);
        server.stop();
        server.destroy();
    }

    private Caller call() throws IOException {
        Caller caller = new Caller(server.getPort());
        callers.add(caller);
        return caller;
    }

    @Test
    void bodiesThatComeSlowlyHoldNoThread() throws IOException {
        List<Caller> slow = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            slow.add(call().send(POST + "Content-Length: 5\r\n\r\nab"));
            slow.add(call().send(CHUNKED + "5\r\nab"));
        }

        await().until(() -> bodies.count() == slow.size());
        assertThat(call().send(POST + "Content-Length: 3\r\n\r\nabc").answer()).endsWith("3 AT_ONCE");

        for (Caller one : slow) {
            one.send("cde");
        }
        for (int i = 0; i < slow.size(); i += 2) {
            assertThat(slow.get(i).answer()).endsWith("5 WHOLE");
            assertThat(slow.get(i + 1).send("\r\n0\r\n\r\n").answer()).endsWith("5 WHOLE");
        }
    }

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
    void chunksBeyondTheLimitAreReadByNobodyUnlessAllowed() throws IOException {
        assertThat(call().send(CHUNKED).chunk(70_000).send("0\r\n\r\n").answer())
                .startsWith("HTTP/1.1 400");
        assertThat(call().send(POST + "X-Admin: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .chunk(70_000)
                        .chunk(830_000)
                        .send("0\r\n\r\n")
                        .answer())
                .endsWith("900000 LARGE");
        assertThat(call().send(POST + "X-Admin: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .chunk(1_200_000)
                        .send("0\r\n\r\n")
                        .answer())
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void declaredLengthBeyondTheLimitIsNotWaitedFor() throws IOException {
        Caller caller = call().send(POST + "Content-Length: 70000\r\n\r\nabc");

        assertThat(caller.answer()).startsWith("HTTP/1.1 400");
    }

    @Test
    void clientThatSendsFirstAndListensAfterwardsSeesTheAnswer() throws IOException {
        Caller caller = call().send(POST + "Content-Length: 9000000\r\n\r\n").send(new byte[9_000_000]);

        assertThat(caller.answer()).startsWith("HTTP/1.1 400");
    }

    @Test
    void smallBodyThatNobodyReadsKeepsItsConnectionHoweverManyAreDropped() throws IOException {
        for (int i = 0; i < 2 * Dropping.AT_ONCE; i++) {
            assertThat(call().send(WRONG_KEY + "Content-Length: 900000\r\n\r\nabc")
                            .answer())
                    .startsWith("HTTP/1.1 401");
        }

        Caller caller = call();
        for (int i = 0; i < 3; i++) {
            assertThat(caller.send(WRONG_KEY + "Content-Length: 5\r\n\r\nabcde").answer())
                    .startsWith("HTTP/1.1 401")
                    .doesNotContain("Connection:");
            assertThat(caller.send(WRONG_KEY + "Content-Length: 5\r\n\r\nabc")
                            .send("de")
                            .answer())
                    .startsWith("HTTP/1.1 401")
                    .doesNotContain("Connection:");
        }
        assertThat(caller.send(POST + "Content-Length: 1\r\n\r\na").answer()).endsWith("1 AT_ONCE");
    }

    @Test
    void answerToALargeBodyThatNobodyReadsSaysThatTheConnectionEnds() throws IOException {
        assertThat(call().send(WRONG_KEY + "Content-Length: 70000\r\n\r\nabc").answer())
                .startsWith("HTTP/1.1 401")
                .contains("Connection: close");
        Caller chunks = call().send(WRONG_KEY + "Transfer-Encoding: chunked\r\n\r\n")
                .chunk(70_000)
                .send("0\r\n\r\n");
        assertThat(chunks.answer()).startsWith("HTTP/1.1 401").contains("Connection: close");
        assertThat(chunks.isClosedWithinMillis(20_000)).isTrue();
    }

    @Test
    void bodyWithoutEndIsDroppedForAWhileAndThenCutOff() throws IOException {
        Caller caller = call().send(CHUNKED);
        boolean cut = false;
        for (int sent = 0; !cut && sent < 200; sent++) {
            try {
                caller.chunk(1 << 20);
            } catch (IOException reset) {
                cut = true;
            }
        }

        assertThat(cut).isTrue();
        assertThat(call().send(POST + "Content-Length: 1\r\n\r\na").answer()).endsWith("1 AT_ONCE");
    }

    @Test
    void bodyThatTakesTooLongIsLate() throws IOException {
        restart(new BodiesAwaited(1 << 20, Duration.ofMillis(1)));

        assertThat(call().send(POST + "Content-Length: 5\r\n\r\nab").answer()).endsWith("none LATE");
    }

    @Test
    void chunkWithoutALengthIsBroken() throws IOException {
        assertThat(call().send(CHUNKED + "wrong\r\n").answer()).endsWith("none BROKEN");
    }

    @Test
    void largeBodyMustBeQuick() throws IOException {
        Caller caller = call().send(POST + "X-Admin: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                .chunk(30_000);
        await().until(() -> bodies.count() == 1);

        time.advance(Duration.ofMinutes(1));
        caller.chunk(30_000).chunk(30_000).send("0\r\n\r\n");

        assertThat(caller.answer()).startsWith("HTTP/1.1 400").contains("not read on: LATE");
    }

    @Test
    void bodiesThatHaveWaitedLongestGiveWay() throws IOException {
        restart(new BodiesAwaited(130_000, BodiesAwaited.PATIENCE));
        List<Caller> slow = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int count = i;
            slow.add(call().send(CHUNKED).chunk(40_000));
            await().until(() -> bodies.count() == count);
        }
        await().until(() -> bodies.held() == 120_000);

        slow.get(2).chunk(20_000).send("0\r\n\r\n");

        assertThat(slow.get(2).answer()).endsWith("60000 WHOLE");
        assertThat(slow.get(0).answer()).endsWith("none CROWDED_OUT");
        assertThat(slow.get(1).send("0\r\n\r\n").answer()).endsWith("40000 WHOLE");
    }

    @Test
    void headThatComesByAndByHasADeadlineAsAWhole() throws IOException {
        Caller caller = call().send("GET /count HTTP/1.1\r\nHost: x\r\nX-Slow: a");

        await().until(() -> {
            time.advance(HeadInTime.PATIENCE.plusSeconds(1));
            caller.send("a");
            return caller.isClosedWithinMillis(200);
        });
    }

    @Test
    void fullHouseEndsTheMostSilentConnection() throws IOException {
        RestingProtocol protocol =
                (RestingProtocol) server.getTomcat().getConnector().getProtocolHandler();
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
    void clientThatAsksBeforeItSendsIsToldToGoOnOnce() throws IOException {
        Caller caller = call().send(POST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        assertThat(caller.answer()).startsWith("HTTP/1.1 100");

        assertThat(caller.send("ab").answer()).startsWith("HTTP/1.1 200").endsWith("2 WHOLE");
    }

    @Test
    void connectionEndsForAClientThatSendsOnBeforeThePollerLooksAgain() throws IOException {
        for (int i = 0; i < 5; i++) {
            Caller caller = call().send("POST /count HTTP/1.0\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
            caller.answer();

            await().until(() -> isReset(caller));
        }
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

    private static boolean isReset(Caller caller) {
        try {
            caller.send(" ");
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void aBodyThatCameRightBehindItsHeadIsNotWaitedFor() throws Exception {
        AtomicInteger there = new AtomicInteger();
        Request request = new Request();
        request.setContentLength(3);
        request.setInputBuffer(new InputBuffer() {
            @Override
            public int doRead(ApplicationBufferHandler handler) {
                throw new AssertionError("nobody asked for it");
            }

            @Override
            public int available() {
                return there.get();
            }
        });
        ActionHook tomcat = (action, how) -> {
            assertThat(action).isNotEqualTo(ActionCode.ASYNC_START);
            there.set(action == ActionCode.AVAILABLE && Boolean.TRUE.equals(how) ? 3 : there.get());
        };
        ReflectionTestUtils.setField(request, "hook", tomcat);
        Response response = new Response();
        ReflectionTestUtils.setField(response, "hook", tomcat);
        List<String> asked = new ArrayList<>();
        Adapter container = (Adapter) Proxy.newProxyInstance(
                Adapter.class.getClassLoader(), new Class<?>[] {Adapter.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return null;
                });

        new BodyFirst(container, time, bodies).service(request, response);

        assertThat(asked).containsExactly("service");
    }
}
