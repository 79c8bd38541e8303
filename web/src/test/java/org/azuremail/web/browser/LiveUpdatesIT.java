package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tests the streams to open pages on the real server, and pages that no stream reaches. */
@ExtendWith(OutputCaptureExtension.class)
class LiveUpdatesIT {

    private static final String PASSWORD = "seven wet otters";

    private static final int MOST_STREAMS = 20;

    /** A stop must take less than the 25 seconds for which the server waits for responses under way. */
    private static final Duration QUICK = Duration.ofSeconds(10);

    @Test
    void streamsThatNobodyReadsLeaveRoomForPagesAndDoNotDelayTheStop(@TempDir Path data, CapturedOutput output)
            throws Exception {
        List<Socket> streams = new ArrayList<>();
        try (Chromium chromium = Chromium.start()) {
            RunningService service = start(data, "--azuremail.live.max-streams=" + MOST_STREAMS);
            long stopping;
            try (service) {
                BrowserContext browser = signedIn(chromium, service);
                for (int i = 0; i < MOST_STREAMS; i++) {
                    streams.add(listen(browser, service));
                    assertThat(line(streams.get(i))).contains(" 200");
                }
                try (Socket more = listen(browser, service)) {
                    assertThat(line(more)).contains(" 204");
                }
                Page page = browser.newPage();
                page.navigate(service.url() + "/");
                assertThat(page.locator("#sending")).isVisible();
                stopping = System.nanoTime();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - stopping)).isLessThan(QUICK);
            for (Socket stream : streams) {
                assertThat(rest(stream)).contains("state").endsWith("\r\n0\r\n\r\n");
                stream.close();
            }
        }
        assertThat(output.getAll()).doesNotContain(" ERROR ");
    }

    @Test
    void pagesToWhichNoStreamComesThroughAskAgainAndATimeOutEndsNothing(@TempDir Path data, CapturedOutput output)
            throws Exception {
        try (RunningService service = start(data, "--azuremail.live.lifetime=1s", "--azuremail.live.beat=5m");
                Chromium chromium = Chromium.start()) {
            BrowserContext browser = signedIn(chromium, service);
            Page refused =
                    dashboard(browser, service, route -> route.fulfill(new Route.FulfillOptions().setStatus(404)));
            Page silent = dashboard(browser, service, route -> {});
            Page streamed = browser.newPage();
            streamed.navigate(service.url() + "/");
            try (Socket stream = listen(browser, service)) {
                assertThat(rest(stream)).startsWith("HTTP/1.1 200").endsWith("\r\n0\r\n\r\n");
            }
            Page other = browser.newPage();
            other.navigate(service.url() + "/lists");
            other.locator("form[action='/lists/samples'] button").click();
            for (Page page : List.of(refused, silent, streamed)) {
                assertThat(page.locator("#latest"))
                        .containsText(
                                "Job postings of the month",
                                new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
            }
        }
        assertThat(output.getAll()).doesNotContain(" ERROR ").doesNotContain("AsyncRequestTimeoutException");
    }

    @Test
    void theOfferToUndoASendingDisappearsWhenItHasBegun(@TempDir Path data) throws Exception {
        try (RunningService service = start(data, "--azuremail.message.undo=10s");
                Chromium chromium = Chromium.start()) {
            Page page = signedIn(chromium, service).newPage();
            page.navigate(service.url() + "/lists");
            page.locator("form[action='/lists/samples'] button").click();
            page.navigate(service.url() + "/messages/new?list=contoso1");
            page.getByLabel("Subject line").fill("Soon");
            page.locator("[name=format][value=markdown]").check();
            page.locator("textarea#markdown").fill("Hello");
            page.getByText("Continue to recipients and time").click();
            page.getByText("Continue to review").click();
            page.locator("form[action$='/send'] button").click();
            assertThat(page.locator(".notice form")).isVisible();
            assertThat(page.locator("#progress .head .badge"))
                    .hasText("Sent", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
            assertThat(page.locator(".notice")).hasCount(0);
        }
    }

    private static RunningService start(Path data, String setting, String... more) throws IOException {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add(setting);
        settings.add("--azuremail.bootstrap.admin-email=ann@example.org");
        settings.add("--azuremail.bootstrap.admin-password=" + PASSWORD);
        return RunningService.start(data, settings.toArray(String[]::new));
    }

    /** Signs in without script, so that no page has opened a stream before the test does. */
    private static BrowserContext signedIn(Chromium chromium, RunningService service) {
        try (BrowserContext scriptless =
                chromium.browser().newContext(new Browser.NewContextOptions().setJavaScriptEnabled(false))) {
            Page page = scriptless.newPage();
            page.navigate(service.url() + "/sign-in");
            page.locator("#email").fill("ann@example.org");
            page.locator("#password").fill(PASSWORD);
            page.locator("main form button").click();
            assertThat(page.locator("h1")).hasText("Dashboard");
            BrowserContext browser = chromium.browser().newContext();
            browser.addCookies(scriptless.cookies());
            return browser;
        }
    }

    private static Page dashboard(BrowserContext browser, RunningService service, Consumer<Route> live) {
        Page page = browser.newPage();
        page.route("**/live?*", live);
        page.navigate(service.url() + "/");
        return page;
    }

    private static Socket listen(BrowserContext browser, RunningService service) throws IOException {
        String cookies = browser.cookies().stream()
                .map(cookie -> cookie.name + "=" + cookie.value)
                .collect(Collectors.joining("; "));
        Socket socket = new Socket("localhost", URI.create(service.url()).getPort());
        socket.setSoTimeout(20_000);
        String request = "GET /live?watch=dashboard.all HTTP/1.1\r\nHost: localhost\r\nCookie: " + cookies
                + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String line(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int one = in.read(); one != '\n' && one >= 0; one = in.read()) {
            line.append((char) one);
        }
        return line.toString();
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
}
