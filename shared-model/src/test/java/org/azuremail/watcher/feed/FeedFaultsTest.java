package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the reports of feeds that cannot be read, and the next turn after each. */
class FeedFaultsTest extends FeedTurns {

    static Stream<Arguments> troubles() {
        String bomb = "<!DOCTYPE rss [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
                + "<rss version='2.0'><channel><title>&b;</title></channel></rss>";
        return Stream.of(
                trouble("FEED_STATUS", call -> FeedServer.status(call, 500)),
                trouble("FEED_UNREADABLE", call -> FeedServer.text(call, bomb)),
                trouble("FEED_UNREADABLE", call -> FeedServer.text(call, "<rss><channel>")),
                trouble("FEED_UNREADABLE", call -> FeedServer.text(call, "<html><p>Not here</html>")),
                trouble("FEED_UNREADABLE", call -> FeedServer.text(call, "")),
                trouble("FEED_UNREADABLE", call -> FeedServer.text(call, "{\"items\":" + "[".repeat(100_000))),
                trouble("FEED_ELEMENTS", call -> FeedServer.text(call, "<a>".repeat(1_000_000))),
                trouble("FEED_ELEMENTS", call -> FeedServer.text(call, item(1, 101))),
                trouble("FEED_ELEMENTS", call -> FeedServer.text(call, item(1_100, 95))),
                trouble("FEED_LARGE", FeedFaultsTest::promisesMuch),
                trouble("FEED_LARGE", FeedFaultsTest::endless),
                trouble("FEED_SLOW", FeedFaultsTest::drips),
                trouble("FEED_REDIRECTS", call -> redirect(call, "/again")),
                trouble("FEED_ADDRESS", call -> redirect(call, "file:///etc/passwd")),
                trouble("FEED_ADDRESS", call -> redirect(call, "http://0x7f000001/")));
    }

    private static String item(int elements, int attributes) {
        StringBuilder each = new StringBuilder("<x");
        for (int i = 0; i < attributes; i++) {
            each.append(" a").append(i).append("=''");
        }
        return "<rss version='2.0'><channel><title>T</title><item><title>a</title>"
                + each.append("/>").toString().repeat(elements) + "</item></channel></rss>";
    }

    private static Arguments trouble(String code, FeedServer.Reply reply) {
        return Arguments.of(code, reply);
    }

    private static void redirect(HttpExchange call, String to) throws IOException {
        call.getResponseHeaders().set("Location", to);
        FeedServer.status(call, 302);
    }

    /** Sends a large length with the first byte, because Java 25 sends a header only together with some of the body. */
    private static void promisesMuch(HttpExchange call) throws IOException {
        call.sendResponseHeaders(200, 50L << 20);
        call.getResponseBody().write(' ');
        call.getResponseBody().flush();
    }

    private static void endless(HttpExchange call) throws IOException {
        call.sendResponseHeaders(200, 0);
        OutputStream out = call.getResponseBody();
        byte[] part = new byte[1 << 20];
        for (int i = 0; i < 1_000; i++) {
            out.write(part);
        }
    }

    /** Sends a byte in time for each read, endlessly. */
    private static void drips(HttpExchange call) throws IOException {
        call.sendResponseHeaders(200, 0);
        OutputStream out = call.getResponseBody();
        for (int i = 0; i < 100; i++) {
            out.write(' ');
            out.flush();
            try {
                new java.util.concurrent.CountDownLatch(1).await(100, java.util.concurrent.TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void aFaultOfAFeedIsReportedAndTheNextTurnTriesAgain(String code, FeedServer.Reply reply)
            throws PermanentWatcherException {
        server.replies(reply);
        turn();
        assertThat(result.code()).isEqualTo(code);
        assertThat(trouble).isTrue();
        assertThat(rest).isEqualTo(Duration.ofMinutes(30));
        assertThat(server.calls.get()).isLessThanOrEqualTo(1 + FeedFetcher.MAX_REDIRECTS);
        server.rss("a");
        turn();
        assertThat(result).isEqualTo(Reason.of(FeedReason.FEED_MARKED, 1));
        assertThat(trouble).isFalse();
    }

    @Test
    void aRedirectIsReportedAndTheServersPauseIsKept() throws PermanentWatcherException {
        server.replies(call -> {
            if (call.getRequestURI().getPath().equals("/feed")) {
                redirect(call, "/new");
            } else {
                FeedServer.text(
                        call,
                        "<rss version='2.0'><channel><title>T</title>" + FeedServer.item("1", "1")
                                + "</channel></rss>");
            }
        });
        turn();
        turn();
        assertThat(result)
                .isEqualTo(Reason.of(
                        FeedReason.FEED_REDIRECTED,
                        server.at("127.0.0.1", "/new").toString(),
                        Reason.of(FeedReason.FEED_MARKED, 1)));
        server.replies(call -> {
            call.getResponseHeaders().set("Retry-After", "7200");
            FeedServer.status(call, 429);
        });
        turn();
        assertThat(result.is(FeedReason.FEED_WAIT)).isTrue();
        assertThat(rest).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void aFeedThatIsGoneEndsInAFailedStateAndAPrivateAddressIsNotConnectedTo() throws Exception {
        server.replies(call -> FeedServer.status(call, 410));
        assertThatThrownBy(this::turn)
                .isInstanceOf(PermanentWatcherException.class)
                .hasMessage(Reason.of(FeedReason.FEED_GONE).words());
        server.calls.set(0);
        try (FeedFetcher guarded =
                new FeedFetcher(new PublicAddresses(InetAddress::getAllByName, false), Time.system())) {
            assertThatThrownBy(() -> guarded.get(URI.create(server.address()), "", ""))
                    .isInstanceOfSatisfying(FeedException.class, trouble -> assertThat(
                                    trouble.reason().is(FeedReason.FEED_PRIVATE))
                            .isTrue());
        }
        assertThat(server.calls).hasValue(0);
    }

    @Test
    void theBodyOfARedirectIsNotRead() throws Exception {
        server.replies(call -> {
            if (call.getRequestURI().getPath().equals("/feed")) {
                call.getResponseHeaders().set("Location", "/next");
                call.sendResponseHeaders(302, 0);
                byte[] part = new byte[1 << 16];
                while (true) {
                    call.getResponseBody().write(part);
                }
            }
            FeedServer.text(call, "<rss version='2.0'><channel><title>T</title></channel></rss>");
        });
        turn();
        assertThat(trouble).as(result.words()).isFalse();
    }
}
