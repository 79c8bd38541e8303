package org.azuremail.linkcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.linkcheck.LinkReport.Checked;
import org.azuremail.linkcheck.LinkReport.Refusal;
import org.azuremail.outbound.PublicAddresses;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks links with real connections to a scripted server. Only 127.0.0.2 counts as the public internet here; all other
 * checks are those of production.
 */
class LinkChecksTest {

    private static final String PUBLIC = "127.0.0.2";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private LinkServer server;
    private ServerSocket inside;
    private LinkRequests requests;
    private LinkChecks checks;

    @BeforeEach
    void open() throws IOException {
        server = new LinkServer(InetAddress.getByName(PUBLIC));
        inside = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
        inside.setSoTimeout(1);
        begin(PATIENCE, Duration.ofSeconds(20));
    }

    private void begin(Duration each, Duration whole) throws UnknownHostException {
        InetAddress open = InetAddress.getByName(PUBLIC);
        requests = new LinkRequests(
                new PublicAddresses(
                        LinkChecksTest::lookUp, address -> address.equals(open) || PublicAddresses.isPublic(address)),
                each,
                link -> LinkCheckConfiguration.leadsTo(URI.create("https://own.example/mail"), link));
        checks = new LinkChecks(requests, whole, time);
    }

    private static InetAddress[] lookUp(String host) throws UnknownHostException {
        return switch (host) {
            case "public.example", "xn--mller-kva.example" -> InetAddress.getAllByName(PUBLIC);
            case "inside.example" -> InetAddress.getAllByName("127.0.0.1");
            case "broken.example" -> throw new UnknownHostException(host);
            default -> InetAddress.getAllByName(host);
        };
    }

    @AfterEach
    void close() throws IOException {
        requests.close();
        server.close();
        inside.close();
    }

    private String at(String path) {
        return at("public.example", path);
    }

    private String at(String host, String path) {
        return "http://" + host + ":" + server.port() + path;
    }

    private static String link(String address) {
        return "<a href=\"" + address + "\">Read</a>";
    }

    private LinkReport check(String html) {
        return checks.check("amy@example.org", html);
    }

    private LinkFinding finding(String address) {
        LinkReport report = check(link(address));
        assertThat(report.links()).hasSize(1);
        return report.links().get(0).finding().code();
    }

    private void nobodyCameIn() {
        assertThatThrownBy(() -> inside.accept().close()).isInstanceOf(SocketTimeoutException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "200, LINK_WORKS",
        "204, LINK_WORKS",
        "304, LINK_WORKS",
        "404, LINK_NOT_FOUND",
        "410, LINK_NOT_FOUND",
        "401, LINK_REFUSED",
        "403, LINK_REFUSED",
        "429, LINK_REFUSED",
        "999, LINK_SERVER_ERROR",
        "500, LINK_SERVER_ERROR",
        "503, LINK_SERVER_ERROR"
    })
    void theStatusOfTheServerIsTheFinding(int status, LinkFinding expected) {
        server.status("/page", status);
        assertThat(finding(at("/page"))).isEqualTo(expected);
    }

    @Test
    void theServerSeesWhoAsks() {
        server.status("/page", 200);
        finding(at("/page"));
        assertThat(server.requests).containsExactly("HEAD /page");
        assertThat(server.heads.get(0)).contains("User-Agent: AzureMail\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 405, 501})
    void aServerThatRefusesHeadIsAskedAsBrowsersAsk(int status) {
        server.status("HEAD /page", status);
        server.status("GET /page", 200);
        assertThat(finding(at("/page"))).isEqualTo(LinkFinding.LINK_WORKS);
        assertThat(server.requests).containsExactly("HEAD /page", "GET /page");
    }

    @Test
    void anEndlessBodyIsNotRead() throws InterruptedException {
        CountDownLatch hungUp = new CountDownLatch(1);
        server.status("HEAD /page", 405);
        server.reply("GET /page", out -> {
            LinkServer.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            try {
                while (true) {
                    LinkServer.write(out, "1000\r\n" + "x".repeat(0x1000) + "\r\n");
                }
            } catch (IOException closed) {
                hungUp.countDown();
            }
        });
        assertThat(finding(at("/page"))).isEqualTo(LinkFinding.LINK_WORKS);
        assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aPageThatMovedForGoodIsNamed() {
        server.status("/old", 301, "Location: /newer");
        server.status("/newer", 308, "Location: " + at("/new"));
        server.status("/new", 302, "Location: /today");
        server.status("/today", 200);
        Checked found = check(link(at("/old"))).links().get(0);
        assertThat(found.finding().code()).isEqualTo(LinkFinding.LINK_MOVED);
        assertThat(found.finding().reason().text(0)).isEqualTo(at("/new"));
    }

    @Test
    void aPageThatMovedToNowhereDoesNotExist() {
        server.status("/old", 301, "Location: /gone");
        assertThat(finding(at("/old"))).isEqualTo(LinkFinding.LINK_NOT_FOUND);
    }

    @Test
    void aTemporaryRedirectWorks() {
        server.status("/old", 302, "Location: /n%C3%A4chste seite/ü#top");
        server.status("/n%C3%A4chste%20seite/%C3%BC", 200);
        assertThat(finding(at("/old"))).isEqualTo(LinkFinding.LINK_WORKS);
    }

    @Test
    void aRedirectLoopEnds() {
        server.status("/loop", 302, "Location: /loop");
        assertThat(finding(at("/loop"))).isEqualTo(LinkFinding.LINK_REDIRECTS);
        assertThat(server.requests).hasSize(LinkRequests.MAX_REDIRECTS + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "file:///etc/passwd", "http://", "http://0x7f000001/", "javascript:alert(1)"})
    void aRedirectToNoPageIsReported(String location) {
        server.status("/old", 302, "Location: " + location);
        assertThat(finding(at("/old"))).isEqualTo(LinkFinding.LINK_REDIRECT_INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "localhost",
                "inside.example",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "169.254.169.254",
                "①②⑦.0.0.1",
                "127。0。0。1"
            })
    void nothingInsideIsRequested(String host) {
        String address = "http://" + host + ":" + inside.getLocalPort() + "/";
        assertThat(finding(address)).isEqualTo(LinkFinding.LINK_PRIVATE);
        server.status("/old", 302, "Location: " + address);
        assertThat(finding(at("/old"))).isEqualTo(LinkFinding.LINK_PRIVATE);
        nobodyCameIn();
    }

    @Test
    void aServerThatDoesNotAnswerIsLeft() {
        server.reply("/page", out -> new CountDownLatch(1).await());
        assertThat(finding(at("/page"))).isEqualTo(LinkFinding.LINK_SLOW);
    }

    @Test
    void aServerThatSendsItsHeaderByteByByteIsLeft() {
        server.reply("/page", out -> {
            LinkServer.write(out, "HTTP/1.1 200 OK\r\nX: ");
            while (true) {
                LinkServer.write(out, "x");
                new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
            }
        });
        assertThat(finding(at("/page"))).isEqualTo(LinkFinding.LINK_SLOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 abc\r\n\r\n", "Hello\r\n\r\n", "", "HTTP/1.1 200 OK\r\nbroken\r\n\r\n"})
    void anAnswerThatIsNotHttpIsReported(String bytes) {
        server.reply("/page", out -> LinkServer.write(out, bytes));
        assertThat(finding(at("/page"))).isEqualTo(LinkFinding.LINK_UNREACHABLE);
    }

    @Test
    void aServerWithoutHttpsIsReported() {
        assertThat(finding(at("/").replace("http:", "https:"))).isEqualTo(LinkFinding.LINK_CERTIFICATE);
    }

    @Test
    void aHostWithoutServerIsReported() throws IOException {
        int port = inside.getLocalPort();
        inside.close();
        assertThat(finding("http://" + PUBLIC + ":" + port + "/")).isEqualTo(LinkFinding.LINK_UNREACHABLE);
        assertThat(finding("http://broken.example/")).isEqualTo(LinkFinding.LINK_NO_HOST);
    }

    @Test
    void aHostOutsideAsciiIsLookedUpByItsAsciiName() {
        server.status("/stra%C3%9Fe?q=a%20b%7C", 200);
        Checked found =
                check(link(at("müller.example", "/straße?q=a b|"))).links().get(0);
        assertThat(found.finding()).isEqualTo(LinkFinding.LINK_WORKS.of());
        assertThat(server.heads.get(0)).contains("Host: xn--mller-kva.example:" + server.port());
    }

    @Test
    void linksOfTheInstallationAreNotRequested() {
        assertThat(finding("http://OWN.example:80/mail/unsubscribe?x=1")).isEqualTo(LinkFinding.LINK_OWN);
        assertThat(finding("https://own.example/mail")).isEqualTo(LinkFinding.LINK_OWN);
        server.status("/old", 302, "Location: https://own.example/mail/archive");
        assertThat(finding(at("/old"))).isEqualTo(LinkFinding.LINK_OWN);
        assertThat(LinkCheckConfiguration.leadsTo(
                        URI.create("https://own.example/mail"), URI.create("https://own.example/mailing")))
                .isFalse();
    }

    @Test
    void linksWithMergeFieldsAreSkipped() {
        assertThat(finding(at("/{{name}}"))).isEqualTo(LinkFinding.LINK_WITH_FIELD);
        assertThat(finding("{{unsubscribe}}")).isEqualTo(LinkFinding.LINK_WITH_FIELD);
        assertThat(server.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://user:secret@public.example/", "https://:80/", "http://a\\@public.example/", "https://"})
    void addressesThatCannotBeRequestedAreInvalid(String address) {
        assertThat(finding(address)).isEqualTo(LinkFinding.LINK_INVALID);
    }

    @Test
    void veryLongAddressesAreSkipped() {
        assertThat(finding(at("/" + "x".repeat(100_000)))).isEqualTo(LinkFinding.LINK_LONG);
    }

    @Test
    void onlyPagesAndImagesAreChecked() {
        assertThat(check("<a href='mailto:a@example.org'>a</a><a href='tel:1'>b</a><a href='#c'>c</a><a>d</a>"
                                + "<a href='page.html'>e</a><img src='data:image/gif;base64,AA'><a href=''>f</a>")
                        .links())
                .isEmpty();
    }

    @Test
    void aLinkIsRequestedOnceAndShownWithItsText() {
        server.status("/page", 200);
        LinkReport report = check("<p>" + link(at("/page")) + link(at("/page#part")) + "<a href='" + at("/gone")
                + "'><img alt='Our shop' src='" + at("/page") + "'> now</a></p>");
        assertThat(report.links())
                .extracting(one -> one.link().text(), one -> one.link().address(), one -> one.finding()
                        .code())
                .containsExactly(
                        tuple("Our shop now", at("/gone"), LinkFinding.LINK_NOT_FOUND),
                        tuple("Read", at("/page"), LinkFinding.LINK_WORKS));
        assertThat(server.requests).containsExactlyInAnyOrder("HEAD /page", "HEAD /gone", "GET /gone");
        assertThat(report.toLookAt()).hasSize(1);
        assertThat(report.works()).isEqualTo(1);
    }

    @Test
    void ofManyLinksTheFirstOnesAreRequested() {
        String html = IntStream.range(0, 10_000)
                .mapToObj(i -> link(at("/" + i)) + link(at("/{{email}}/" + i)))
                .collect(Collectors.joining());
        LinkReport report = check(html);
        Map<LinkFinding, Long> found = report.links().stream()
                .collect(Collectors.groupingBy(one -> one.finding().code(), Collectors.counting()));
        assertThat(found)
                .containsOnly(Map.entry(LinkFinding.LINK_NOT_FOUND, 50L), Map.entry(LinkFinding.LINK_WITH_FIELD, 50L));
        assertThat(report.more()).isEqualTo(2 * 9_950);
        assertThat(server.requests).hasSize(2 * LinkChecks.MAX_LINKS);
        assertThat(check(html).links())
                .as("no connection is left over")
                .extracting(one -> one.finding().code())
                .containsOnly(LinkFinding.LINK_NOT_FOUND, LinkFinding.LINK_WITH_FIELD);
    }

    @Test
    void aCheckEndsInTime() throws UnknownHostException {
        begin(Duration.ofSeconds(30), Duration.ofSeconds(1));
        server.status("/fast", 200);
        server.reply("/slow", out -> new CountDownLatch(1).await());
        LinkReport report = check(link(at("/fast")) + link(at("/slow")));
        assertThat(report.links())
                .extracting(one -> one.finding().code())
                .containsExactly(LinkFinding.LINK_WORKS, LinkFinding.LINK_NO_TIME);
    }

    @Test
    void anAdminHasOneCheckAtATime() throws Exception {
        begin(Duration.ofSeconds(30), Duration.ofSeconds(30));
        CountDownLatch arrived = new CountDownLatch(LinkChecks.AT_A_TIME);
        CountDownLatch released = new CountDownLatch(1);
        server.reply("/slow", out -> {
            arrived.countDown();
            released.await();
            LinkServer.write(out, "HTTP/1.1 200 OK\r\n\r\n");
        });
        List<CompletableFuture<LinkReport>> running = IntStream.range(0, LinkChecks.AT_A_TIME)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> checks.check("admin" + i, link(at("/slow"))), task -> new Thread(task).start()))
                .toList();
        assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(checks.check("admin0", link(at("/slow"))).refused().is(Refusal.LINKS_RUNNING))
                .isTrue();
        assertThat(checks.check("other", link(at("/slow"))).refused().is(Refusal.LINKS_BUSY))
                .isTrue();
        assertThat(checks.check("other", link("{{unsubscribe}}")).refused().none())
                .isTrue();

        released.countDown();
        for (CompletableFuture<LinkReport> check : running) {
            assertThat(check.get(20, TimeUnit.SECONDS).works()).isEqualTo(1);
        }
        assertThat(checks.check("other", link(at("/slow"))).works()).isEqualTo(1);
    }

    @Test
    void anAdminStartsFewChecksInAWhile() {
        server.status("/page", 200);
        for (int i = 0; i < LinkChecks.MAX_CHECKS; i++) {
            assertThat(check(link(at("/page"))).works()).isEqualTo(1);
        }
        assertThat(check(link(at("/page"))).refused().is(Refusal.LINKS_TOO_OFTEN))
                .isTrue();
        assertThat(server.requests).hasSize(LinkChecks.MAX_CHECKS);
        assertThat(checks.check("other", link(at("/page"))).works()).isEqualTo(1);

        time.advance(LinkChecks.PERIOD);
        assertThat(check(link(at("/page"))).works()).isEqualTo(1);
    }
}
