package org.azuremail.watcher.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.time.Time;
import org.azuremail.watcher.feed.FeedException.FeedReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tries server-side request forgery with real connections: a service that listens on every address of this machine must
 * not get any. Only 127.0.0.2 counts as the public internet here; all checks are those of production.
 */
class ForbiddenWayTest {

    private static final String PUBLIC = "127.0.0.2";

    /** The addresses to which names resolve, one for each query; the last one is repeated. */
    private final Map<String, List<String>> names = new ConcurrentHashMap<>(Map.of(
            "public.example", List.of(PUBLIC),
            "inside.example", List.of("127.0.0.1"),
            "six.example", List.of("::1")));

    private final List<String> lookedUp = new ArrayList<>();
    private ServerSocket inside;
    private FeedServer outside;
    private FeedFetcher fetch;

    @BeforeEach
    void open() throws IOException {
        inside = new ServerSocket(0);
        inside.setSoTimeout(1);
        outside = new FeedServer(InetAddress.getByName(PUBLIC));
        InetAddress open = InetAddress.getByName(PUBLIC);
        fetch = new FeedFetcher(
                new PublicAddresses(this::lookUp, address -> address.equals(open) || PublicAddresses.isPublic(address)),
                Time.system());
    }

    @AfterEach
    void close() throws IOException {
        fetch.close();
        outside.close();
        inside.close();
    }

    private InetAddress[] lookUp(String host) throws java.net.UnknownHostException {
        lookedUp.add(host);
        List<String> answers = names.get(host);
        if (answers == null) {
            return InetAddress.getAllByName(host);
        }
        if (answers.size() > 1) {
            names.put(host, answers.subList(1, answers.size()));
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (String address : answers.get(0).split("\\+")) {
            addresses.add(InetAddress.getByName(address));
        }
        return addresses.toArray(InetAddress[]::new);
    }

    /**
     * Returns different spellings of addresses of this machine or its network, with the port of the internal service.
     */
    static Stream<String> spellings() {
        return Stream.of(
                "127.0.0.1",
                "127.1",
                "127.0.1",
                "127.255.255.254",
                "2130706433",
                "0x7f000001",
                "0x7F.0x0.0x0.0x1",
                "0x7f.1",
                "0177.0.0.1",
                "0177.0x0.0.1",
                "017700000001",
                "127.0.0.01",
                "127.0.0.1.",
                "%31%32%37.0.0.1",
                "①②⑦.0.0.1",
                "１２７.0.0.1",
                "127。0。0。1",
                "0.0.0.0",
                "0",
                "localhost",
                "LOCALHOST",
                "localhost.",
                "inside.example",
                "INSIDE.example",
                "six.example",
                "[::1]",
                "[0:0:0:0:0:0:0:1]",
                "[::]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[0:0:0:0:0:ffff:7f00:0001]",
                "[::127.0.0.1]",
                "[::ffff:0:127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[64:ff9b:1::7f00:1]",
                "[2002:7f00:1::]",
                "[2001:0:7f00:1::]",
                "[fe80::1%25lo]",
                "[::1%25lo]",
                "good.example@127.0.0.1",
                "good.example:80@127.0.0.1",
                "127.0.0.1%00.good.example",
                "127.0.0.1\\@good.example",
                "127.0.0.1\t");
    }

    private String inside(String host) {
        return "http://" + host + ":" + inside.getLocalPort() + "/feed";
    }

    private void nobodyCameIn(String when) {
        assertThatThrownBy(() -> inside.accept().close()).as(when).isInstanceOf(SocketTimeoutException.class);
    }

    /** Reads like a watcher, which never reads addresses that its settings refuse. */
    private Optional<FeedReason> read(String address) {
        Optional<URI> uri = PublicAddresses.parse(address);
        if (uri.isEmpty()) {
            return Optional.of(FeedReason.FEED_ADDRESS);
        }
        try {
            FeedReader.read(fetch.get(uri.get(), "", ""), FeedReader.MAX_ENTRIES);
            return Optional.empty();
        } catch (FeedException trouble) {
            return Optional.of(FeedReason.valueOf(trouble.reason().code()));
        }
    }

    @ParameterizedTest
    @MethodSource("spellings")
    @DisplayName("no spelling of an address of this machine is connected to, as the address of a feed")
    void noSpellingIsConnectedTo(String host) {
        assertThat(read(inside(host))).hasValueSatisfying(reason -> assertThat(reason)
                .isIn(FeedReason.FEED_ADDRESS, FeedReason.FEED_PRIVATE, FeedReason.FEED_NO_HOST));
        nobodyCameIn(host);
    }

    @Test
    @DisplayName("no address of this machine's interfaces is connected to")
    void noInterfaceIsConnectedTo() throws IOException {
        List<InetAddress> own = java.net.NetworkInterface.networkInterfaces()
                .flatMap(java.net.NetworkInterface::inetAddresses)
                .filter(address -> !PublicAddresses.isPublic(address))
                .toList();
        assertThat(own).isNotEmpty();
        for (InetAddress address : own) {
            String host = address.getHostAddress().replaceAll("%.*", "");
            assertThat(read(inside(host.contains(":") ? "[" + host + "]" : host)))
                    .hasValue(FeedReason.FEED_PRIVATE);
            nobodyCameIn(host);
        }
    }

    @ParameterizedTest
    @MethodSource("spellings")
    @DisplayName("no redirect leads to an address of this machine, however it is spelled")
    void noRedirectLeadsInside(String host) {
        redirects(302, path -> inside(host));

        assertThat(read(outside.at("public.example", "/feed").toString())).isPresent();

        assertThat(outside.calls).hasValue(1);
        nobodyCameIn("redirect to " + host);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    @DisplayName("each redirect of a chain is looked at")
    void eachRedirectOfAChainIsLookedAt(int status) {
        redirects(status, path -> switch (path) {
            case "/feed" -> "/second";
            case "/second" -> outside.at("PUBLIC.example", "/third").toString();
            default -> "//inside.example:" + inside.getLocalPort() + "/feed";
        });

        assertThat(read(outside.at("public.example", "/feed").toString())).hasValue(FeedReason.FEED_PRIVATE);

        assertThat(outside.calls).hasValue(3);
        nobodyCameIn("the end of the chain");
    }

    private void redirects(int status, Function<String, String> where) {
        outside.replies(call -> {
            call.getResponseHeaders()
                    .set("Location", where.apply(call.getRequestURI().getPath()));
            FeedServer.status(call, status);
        });
    }

    /**
     * The port in the URL is that of the public server; the internal service listens at the same port of the other
     * address.
     */
    @Test
    @DisplayName(
            "DNS rebinding: the connection goes to the address that was checked, and each connection is checked anew")
    void aNameThatIsReboundGainsNothing() throws IOException {
        names.put("rebound.example", List.of(PUBLIC, "127.0.0.1"));
        outside.rss("one");
        URI feed = outside.at("rebound.example", "/feed");
        try (ServerSocket sameport = new ServerSocket(feed.getPort(), 5, InetAddress.getByName("127.0.0.1"))) {
            sameport.setSoTimeout(1);
            assertThat(read(feed.toString())).isEmpty();
            assertThat(lookedUp).as("one look-up for one connection").containsExactly("rebound.example");

            assertThat(read(feed.toString())).hasValue(FeedReason.FEED_PRIVATE);
            assertThatThrownBy(() -> sameport.accept().close()).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(outside.calls).hasValue(1);
    }

    @Test
    @DisplayName("DNS rebinding between a redirect and the next request")
    void aNameThatIsReboundDuringARedirectGainsNothing() throws IOException {
        names.put("rebound.example", List.of(PUBLIC, "127.0.0.1"));
        redirects(302, path -> "/again");
        URI feed = outside.at("rebound.example", "/feed");
        try (ServerSocket sameport = new ServerSocket(feed.getPort(), 5, InetAddress.getByName("127.0.0.1"))) {
            sameport.setSoTimeout(1);
            assertThat(read(feed.toString())).hasValue(FeedReason.FEED_PRIVATE);
            assertThatThrownBy(() -> sameport.accept().close()).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(outside.calls).hasValue(1);
    }

    @Test
    @DisplayName("a name with one private address among public ones is not connected to at all")
    void onePrivateAddressIsEnough() {
        names.put("two.example", List.of(PUBLIC + "+127.0.0.1"));
        outside.rss("one");

        assertThat(read(outside.at("two.example", "/feed").toString())).hasValue(FeedReason.FEED_PRIVATE);

        assertThat(outside.calls).hasValue(0);
        nobodyCameIn("two.example");
    }
}
