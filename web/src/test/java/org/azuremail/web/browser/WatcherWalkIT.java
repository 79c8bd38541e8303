package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.awaitility.Awaitility;
import org.azuremail.watcher.mailbox.MailServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An admin creates watchers of mailboxes on a real server and makes typical mistakes. */
class WatcherWalkIT {

    private static final String PASSWORD = "seven wet otters";

    @Test
    void anAdminCreatesWatchersOfMailboxes(@TempDir Path data) throws Exception {
        try (MailServer server = new MailServer();
                RunningService service = RunningService.start(
                        data,
                        "--azuremail.bootstrap.admin-email=ann@example.org",
                        "--azuremail.bootstrap.admin-password=" + PASSWORD,
                        "--azuremail.watchers.allow-private=true",
                        "--azuremail.secrets.key=" + Base64.getEncoder().encodeToString(new byte[32]));
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage();
            signIn(page, service.url());
            Walk walk = new Walk(page, service.url());
            walk.emptyPages();
            walk.mistakes(server);
            walk.created(server);
            walk.replies(server);
            walk.feed();
            walk.without(
                    chromium.browser()
                            .newPage(new com.microsoft.playwright.Browser.NewPageOptions().setJavaScriptEnabled(false)),
                    server);
        }
    }

    private static void signIn(Page page, String url) {
        page.navigate(url + "/sign-in");
        page.locator("#email").fill("ann@example.org");
        page.locator("#password").fill(PASSWORD);
        page.locator("main form button").click();
    }

    private record Walk(Page page, String url) {

        void emptyPages() {
            page.navigate(url + "/watchers");
            Screens.look(page, "watchers-empty");
            page.navigate(url + "/watchers-new?kind=replies");
            Screens.look(page, "watcher-replies-no-list");
            page.navigate(url + "/lists");
            page.locator("form[action='/lists/samples'] button").click();
        }

        void mistakes(MailServer server) {
            page.navigate(url + "/watchers");
            page.getByRole(AriaRole.LINK)
                    .filter(new Locator.FilterOptions().setHasText("Create a watcher"))
                    .first()
                    .click();
            page.getByRole(AriaRole.LINK)
                    .filter(new Locator.FilterOptions().setHasText("Bounce mailbox"))
                    .click();
            Screens.look(page, "watcher-bounces-new");
            click("Create a watcher");
            Screens.look(page, "watcher-bounces-errors");
            page.navigate(url + "/watchers-new?kind=bounces");
            fill(server.settings("imap", "none"));
            page.locator("#host").fill("mail.invalid");
            page.locator("#password").fill("wrong");
            test("no server named mail.invalid", "host");
            page.locator("#host").fill("localhost");
            test("refused the user name or password", "password");
            page.locator("#password").fill(MailServer.PASSWORD);
            page.locator("#folder").fill("Elsewhere");
            test("no folder Elsewhere", "folder");
            page.locator("#folder").fill("INBOX");
            fill(server.settings("imap", "tls"));
            test("certificate of localhost is not valid", "certificate");
            fill(server.settings("imap", "none"));
            test("folder INBOX has no messages", "done");
        }

        void created(MailServer server) {
            page.locator("#name").fill("bounces");
            Awaitility.await("the manager").atMost(Duration.ofMinutes(1)).until(() -> {
                if (page.locator("#password").count() > 0) {
                    page.locator("#password").fill(MailServer.PASSWORD);
                }
                click("Create a watcher");
                return page.url().endsWith("/watchers/bounces");
            });
            Screens.look(page, "watcher-bounces-created");
            server.deliver("From: a@example.org\nSubject: one\n\nHello\n");
            Awaitility.await("a reading").atMost(Duration.ofMinutes(2)).until(() -> {
                page.navigate(url + "/watchers/bounces");
                return page.locator("main").innerText().contains("No bounce of our emails");
            });
            Screens.look(page, "watcher-bounces-read");
            page.navigate(url + "/watchers");
            Screens.look(page, "watchers-one");
            page.navigate(url + "/capacity");
            Screens.look(page, "watcher-capacity");
            page.navigate(url + "/watchers/bounces");
            click("Test connection");
            assertThat(page.locator("#tested")).containsText("folder INBOX has no messages");
            page.locator("#password").fill("wrong");
            click("Save watcher");
            Awaitility.await("a refusal").atMost(Duration.ofMinutes(2)).until(() -> {
                page.navigate(url + "/watchers/bounces");
                return page.locator("main").innerText().contains("refused the user name or password");
            });
            Screens.look(page, "watcher-bounces-refused");
            page.navigate(url + "/watchers/bounces/stop");
            Screens.look(page, "watcher-stop");
        }

        /** A running service turns a feed into a draft; then an admin stops the watcher and creates it again. */
        void feed() throws IOException {
            HttpServer feed = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            feed.createContext("/", call -> {
                byte[] rss =
                        "<rss version='2.0'><channel><title>T</title><item><guid>1</guid><title>Otters return</title></item></channel></rss>"
                                .getBytes(StandardCharsets.UTF_8);
                call.sendResponseHeaders(200, rss.length);
                call.getResponseBody().write(rss);
                call.close();
            });
            feed.start();
            try {
                page.navigate(url + "/watchers-new?kind=feed");
                page.locator("#name").fill("blog");
                page.locator("#address")
                        .fill("http://127.0.0.1:" + feed.getAddress().getPort() + "/");
                page.locator("[name=first][value=send]").check();
                click("Create a watcher");
                until("a draft", "/messages?tab=drafts", "Otters return");
                until("a result", "/watchers/blog", "1 new entry");
                page.navigate(url + "/watchers/blog");
                page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Stop"))
                        .click();
                click("Stop blog");
                until("the end", "/watchers/blog", "Create again");
                page.navigate(url + "/watchers?tab=deleted");
                Screens.look(page, "watchers-deleted");
                page.navigate(url + "/watchers/blog");
                Screens.look(page, "watcher-deleted");
                click("Create again");
                until("its second life", "/watchers/blog", "Running");
            } finally {
                feed.stop(0);
            }
        }

        private void until(String what, String path, String text) {
            Awaitility.await(what).atMost(Duration.ofMinutes(2)).until(() -> {
                page.navigate(url + path);
                return page.locator("main").innerText().contains(text);
            });
        }

        void replies(MailServer server) {
            page.navigate(url + "/watchers-new?kind=replies");
            Screens.look(page, "watcher-replies-new");
            page.locator("#name").fill("replies");
            fill(server.settings("imap", "none"));
            page.locator("#password").fill(MailServer.PASSWORD);
            page.locator("#forwardTo").fill("office@contoso.edu");
            click("Create a watcher");
            assertThat(page.locator("h1")).hasText("replies");
            Screens.look(page, "watcher-replies-created");
        }

        void without(Page plain, MailServer server) {
            signIn(plain, url);
            Walk walk = new Walk(plain, url);
            plain.navigate(url + "/watchers-new?kind=bounces");
            walk.fill(server.settings("imap", "none"));
            plain.locator("#password").fill(MailServer.PASSWORD);
            plain.getByText("Test connection").click();
            assertThat(plain.locator("#tested")).containsText("folder INBOX has no messages");
            assertThat(plain.locator("#username")).hasValue("bounces");
        }

        private void fill(Map<String, String> settings) {
            settings.forEach((name, value) -> {
                Locator choice = page.locator("[name=" + name + "][value='" + value + "']");
                if (page.locator("input[type=radio][name=" + name + "]").count() > 0) {
                    choice.check();
                } else if (page.locator("#" + name).count() > 0) {
                    page.locator("#" + name).fill(value);
                }
            });
        }

        private void test(String answer, String picture) {
            click("Test connection");
            assertThat(page.locator("#tested")).containsText(answer);
            Screens.look(page, "watcher-test-" + picture);
        }

        private void click(String button) {
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(button))
                    .click();
        }
    }
}
