package org.azuremail.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ActionHook;
import org.apache.coyote.Adapter;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.junit.jupiter.api.Test;
import org.springframework.test.util.ReflectionTestUtils;

/** Checks that no thread waits for a body, how long the service waits for a body, and up to which size. */
class BodyBufferingAdapterTest extends OnTwoThreads {

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
    void bodyThatTakesTooLongIsLate() throws IOException {
        restart(new IncomingBodies(1 << 20, Duration.ofMillis(1)));

        assertThat(call().send(POST + "Content-Length: 5\r\n\r\nab").answer()).endsWith("none LATE");
    }

    @Test
    void aClientWhoseBodyStopsComingIsTold() throws IOException {
        restartImpatiently(new IncomingBodies(1 << 20, Duration.ofSeconds(2)));

        Caller silent = call().send(POST + "Content-Length: 5\r\n\r\nab");
        Caller chunked = call().send(CHUNKED + "5\r\nab");

        assertThat(silent.answer()).contains("Connection: close").endsWith("none LATE");
        assertThat(chunked.answer()).contains("Connection: close").endsWith("none LATE");
    }

    @Test
    void aLargeBodyThatStopsComingHoldsItsThreadForAMomentOnly() throws IOException {
        restartImpatiently(new IncomingBodies(1 << 20, Duration.ofHours(1)));

        Caller silent = call().send(POST + "X-Admin: x\r\nTransfer-Encoding: chunked\r\n\r\n")
                .chunk(30_000);
        await().until(() -> bodies.count() == 1);
        silent.chunk(40_000);

        assertThat(silent.answer()).startsWith("HTTP/1.1 400").contains("not read on: LATE");
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
    void bodyWithADeadlineThatStopsComingIsCutOff() throws IOException {
        Caller caller = call().send(POST + "X-Within: 300\r\nContent-Length: 100000\r\n\r\n" + "a".repeat(70_000));

        assertThat(caller.answer()).startsWith("HTTP/1.1 400").contains("not read on: LATE");
        assertThat(call().send(POST + "Content-Length: 3\r\n\r\nabc").answer()).endsWith("3 AT_ONCE");
    }

    @Test
    void bodyWithADeadlineThatComesInDropsIsCutOff() throws IOException {
        Caller caller = call().send(POST + "X-Within: 10000\r\nTransfer-Encoding: chunked\r\n\r\n")
                .chunk(30_000);
        await().until(() -> bodies.count() == 1);

        time.advance(Duration.ofSeconds(11));
        caller.chunk(30_000).chunk(30_000).chunk(1);

        assertThat(caller.answer()).startsWith("HTTP/1.1 400").contains("not read on: LATE");
    }

    @Test
    void bodyWithADeadlineThatEndsTooLateIsRefusedThoughNoPieceWasWaitedFor() throws IOException {
        Caller caller = call().send(POST + "X-Within: 10000\r\nTransfer-Encoding: chunked\r\n\r\n")
                .chunk(30_000);
        await().until(() -> bodies.count() == 1);

        time.advance(Duration.ofSeconds(11));
        caller.send("10d88\r\n" + "a".repeat(69_000) + "\r\n0\r\n\r\n");

        assertThat(caller.answer()).startsWith("HTTP/1.1 400").contains("not read on: LATE");
    }

    @Test
    void bodyWithADeadlineThatIsQuickIsReadAndItsConnectionStays() throws Exception {
        Caller caller = call().send(POST + "X-Within: 500\r\nContent-Length: 100000\r\n\r\n" + "a".repeat(100_000));
        assertThat(caller.answer()).endsWith("100000 LARGE");

        caller.send(POST + "X-Admin: x\r\nContent-Length: 100000\r\n\r\n" + "a".repeat(99_999));
        assertThat(caller.isClosedWithinMillis(800)).isFalse();
        caller.send("a");

        assertThat(caller.answer()).endsWith("100000 LARGE");
    }

    @Test
    void bodiesThatHaveWaitedLongestGiveWay() throws IOException {
        restart(new IncomingBodies(130_000, IncomingBodies.SMALL_BODY_TIMEOUT));
        List<Caller> slow = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            int count = i;
            slow.add(call().send(CHUNKED).chunk(40_000));
            await().until(() -> bodies.count() == count);
        }
        await().until(() -> bodies.held() == 120_000);

        slow.get(2).chunk(20_000).send("0\r\n\r\n");

        assertThat(slow.get(2).answer()).endsWith("60000 WHOLE");
        assertThat(slow.get(0).answer()).endsWith("none EVICTED");
        assertThat(slow.get(1).send("0\r\n\r\n").answer()).endsWith("40000 WHOLE");
    }

    @Test
    void aClientThatExpects100ContinueGetsItOnce() throws IOException {
        Caller caller = call().send(POST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        assertThat(caller.answer()).startsWith("HTTP/1.1 100");

        assertThat(caller.send("ab").answer()).startsWith("HTTP/1.1 200").endsWith("2 WHOLE");
    }

    @Test
    void aBodyThatCameRightBehindItsHeadIsNotWaitedFor() throws Exception {
        AtomicInteger existing = new AtomicInteger();
        Request request = new Request();
        request.setContentLength(3);
        request.setInputBuffer(new InputBuffer() {
            @Override
            public int doRead(ApplicationBufferHandler handler) {
                throw new AssertionError("nobody asked for it");
            }

            @Override
            public int available() {
                return existing.get();
            }
        });
        ActionHook tomcat = (action, how) -> {
            assertThat(action).isNotEqualTo(ActionCode.ASYNC_START);
            existing.set(action == ActionCode.AVAILABLE && Boolean.TRUE.equals(how) ? 3 : existing.get());
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

        new BodyBufferingAdapter(container, time, bodies).service(request, response);

        assertThat(asked).containsExactly("service");
    }
}
