package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** From the first start to a mail that was sent, archived and unsubscribed from: everything a person can do. */
@ExtendWith(OutputCaptureExtension.class)
class WholeWalkIT {

    private static final Pattern SETUP_LINK = Pattern.compile("http://\\S+/setup\\?token=\\S+");

    @Test
    void aPersonDoesEverything(@TempDir Path data, CapturedOutput output) throws Exception {
        try (RunningService service = RunningService.start(data);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage();
            page.setDefaultTimeout(10_000);
            Walk walk = new Walk(page, service.url());
            walk.firstAccount(setupLink(output));
            walk.lists();
            walk.emptyPages();
            walk.accounts();
            walk.subscribers();
            walk.importing(data);
            walk.rate();
            walk.confirming();
            walk.message(data);
            walk.sending();
            walk.leaving();
            walk.keys();
        }
    }

    private static String setupLink(CapturedOutput output) {
        Matcher link = SETUP_LINK.matcher(output.getOut());
        org.assertj.core.api.Assertions.assertThat(link.find())
                .as("the log shows the set-up link")
                .isTrue();
        return link.group();
    }

    /** The steps, in their order. */
    private static final class Walk {

        private final Page page;
        private final String url;

        Walk(Page page, String url) {
            this.page = page;
            this.url = url;
        }

        void firstAccount(String link) {
            page.navigate(link);
            Screens.look(page, "setup");
            page.getByLabel("Your e-mail address").fill("ann@example.org");
            page.getByLabel("Choose a password").fill("short");
            press("Make the account");
            Screens.look(page, "setup-errors");
            page.getByLabel("Choose a password").fill("seven wet otters");
            page.getByLabel("The same password again").fill("seven wet otters");
            press("Make the account");
            assertThat(page.locator("h1")).hasText("Mailing Lists");
            page.navigate(link);
            assertThat(page.locator("h1")).hasText("The set-up is done");
            Screens.look(page, "setup-done");
        }

        void lists() {
            open("/lists", "lists-empty");
            press("Load the sample lists");
            Screens.look(page, "lists");
            open("/lists/new", "list-new");
            page.getByLabel("List name").fill("news letter");
            page.getByLabel("Description").fill("Our newsletter");
            assertThat(page.locator("#name-error")).containsText("Only alphanumeric");
            press("Make the list");
            Screens.look(page, "list-new-errors");
            page.getByLabel("List name").fill("news");
            page.getByLabel("‘From’ email address").fill("news@example.org");
            press("Make the list");
            Screens.look(page, "list-made");
            open("/lists/contoso1", "list");
            open("/lists/contoso1/edit", "list-edit");
            open("/lists/contoso1/delete", "list-delete");
        }

        void emptyPages() {
            open("/subscribers?list=news", "subscribers-empty");
            open("/messages", "messages-empty");
            open("/sent", "sent-empty");
            open("/outbox", "outbox-empty");
            open("/dead-letters", "dead-letters-empty");
            open("/keys", "keys-empty");
            open("/nowhere", "not-found");
        }

        void accounts() {
            open("/accounts", "accounts");
            page.getByLabel("Their e-mail address").fill("bob@example.org");
            press("Make the invitation");
            Screens.look(page, "invitation");
            String link = page.locator("code.secret").innerText();
            open("/account", "account");
            press("Sign out");
            Screens.look(page, "sign-in");
            page.navigate(link);
            Screens.look(page, "invitation-accept");
            page.getByLabel("New password").fill("nine dry badgers");
            page.getByLabel("The same password again").fill("nine dry badgers");
            press("Save and sign in");
            assertThat(page.locator(".notice")).containsText("Your password is set");
        }

        void subscribers() {
            open("/subscribers?list=contoso1", "subscribers");
            open("/subscribers/new?list=news", "subscriber-new");
            page.getByLabel("E-mail address").fill("carla@");
            press("Add");
            Screens.look(page, "subscriber-new-errors");
            page.getByLabel("E-mail address").fill("carla@example.org");
            page.getByLabel("Name").fill("Carla");
            page.getByLabel("Verified").check();
            press("Add");
            Screens.look(page, "subscriber");
            open("/subscribers/edit?list=news&email=carla@example.org", "subscriber-edit");
            open("/subscribers/delete?list=news&email=carla@example.org", "subscriber-delete");
            open("/subscribers/new?list=news", "subscriber-new");
            page.getByLabel("E-mail address").fill("dora@example.org");
            press("Add");
        }

        void importing(Path data) throws Exception {
            StringBuilder csv = new StringBuilder("email,name,city\n");
            for (int i = 0; i < 10_000; i++) {
                csv.append("reader")
                        .append(i)
                        .append("@example.net,Reader ")
                        .append(i)
                        .append(",Bern\n");
            }
            csv.append("not an address,Nobody,Nowhere\n");
            Path file = Files.writeString(data.resolve("readers.csv"), csv);
            open("/subscribers/import?list=contoso1", "import");
            press("Import");
            Screens.look(page, "import-errors");
            page.getByLabel("CSV file", new Page.GetByLabelOptions().setExact(true))
                    .setInputFiles(file);
            page.getByLabel("These people agreed").check();
            press("Import");
            assertThat(page.locator("#progress .badge"))
                    .hasText("Completed", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
            assertThat(page.locator("#progress")).containsText("10,001 of 10,001 rows done");
            Screens.look(page, "import-done");
            Download refused = page.waitForDownload(() -> follow("Download the refused rows"));
            org.assertj.core.api.Assertions.assertThat(Files.readString(refused.path()))
                    .contains("not an address");
            open("/subscribers?list=contoso1&q=reader99", "subscribers-found");
            follow("Next page");
            assertThat(page.locator("tbody tr").first()).isVisible();
            Download all = page.waitForDownload(() -> follow("Export"));
            org.assertj.core.api.Assertions.assertThat(Files.readAllLines(all.path()))
                    .hasSize(10_003);
        }

        void rate() {
            open("/settings", "mail-rate");
            page.getByLabel("Mails a second").fill("many");
            press("Save");
            Screens.look(page, "mail-rate-errors");
            page.getByLabel("Mails a second").fill("500");
            press("Save");
            assertThat(page.locator(".tiles")).containsText("500");
        }

        void confirming() {
            page.navigate(url + "/subscribers/details?list=news&email=dora@example.org");
            press("Send the confirmation again");
            assertThat(page.locator(".notice")).containsText("on its way");
            String link = linkOfNewestMail("dora@example.org", "/subscribe?");
            Screens.look(page, "outbox-mail");
            page.navigate(link);
            Screens.look(page, "confirm");
            page.navigate(url + "/subscribers/details?list=news&email=dora@example.org");
            assertThat(page.locator("h1 + .badge")).hasText("Unconfirmed");
            page.navigate(link);
            press("Confirm my subscription");
            assertThat(page.locator("main")).containsText("dora@example.org has been subscribed to: Our newsletter");
            Screens.look(page, "welcome");
            open("/subscribe?id=7.AAAAAAAAAAAAAAAAAAAAAA&listName=news", "confirm-unknown");
            open("/unsubscribe?id=&listName=", "link-not-whole");
        }

        void message(Path data) throws Exception {
            Path html = Files.writeString(
                    data.resolve("hello.htm"), "<h1>Hello {{name|reader}}</h1><p>News of <b>{{list}}</b>.</p>");
            Path text = Files.writeString(data.resolve("hello.txt"), "Hello {{name|reader}}, there is news.\n");
            open("/messages/new?list=news", "message-new");
            press("Store the message");
            Screens.look(page, "message-new-errors");
            page.getByLabel("Subject line").fill("First news");
            page.getByLabel("HTML file").setInputFiles(html);
            page.getByLabel("Text file").setInputFiles(text);
            page.getByLabel("On this date").check();
            page.getByLabel("Time zone").selectOption("Europe/Berlin");
            press("Store the message");
            Screens.look(page, "message-pending");
            open("/messages", "messages");
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName("First news").setExact(true))
                    .click();
            follow("Preview and test mail");
            Screens.look(page, "message-preview");
            assertThat(page.frameLocator("iframe").locator("h1")).hasText("Hello Alex Sample");
            page.getByLabel("To").fill("boss@example.org");
            press("Send test mail");
            assertThat(page.locator(".notice")).containsText("test mail was handed over");
            linkOfNewestMail("boss@example.org", "/unsubscribe?");
        }

        void sending() {
            page.navigate(url + "/messages");
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName("First news").setExact(true))
                    .click();
            follow("Edit");
            Screens.look(page, "message-edit");
            page.getByLabel("Now", new Page.GetByLabelOptions().setExact(true)).check();
            press("Save");
            assertThat(page.locator("#progress .badge"))
                    .hasText("Completed", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
            assertThat(page.locator(".progress-line")).containsText("2 of 2");
            Screens.look(page, "message-completed");
            follow("Recipients");
            Screens.look(page, "recipients");
            page.getByLabel("Did this address get it?").fill("carla@example.org");
            press("Search");
            assertThat(page.locator("tbody")).containsText("Sent");
            open("/sent", "sent");
            open("/messages", "messages-all-sent");
        }

        void leaving() {
            String link = linkOfNewestMail("carla@example.org", "/unsubscribe?");
            open("/outbox", "outbox");
            page.navigate(link);
            assertThat(page.locator("main")).containsText("Do you want to unsubscribe ca***@*******.org");
            Screens.look(page, "unsubscribe");
            press("Cancel");
            assertThat(page.locator("main")).containsText("will NOT be unsubscribed");
            Screens.look(page, "unsubscribe-cancelled");
            page.navigate(link);
            press("Confirm");
            assertThat(page.locator("main")).containsText("has been unsubscribed from: Our newsletter");
            Screens.look(page, "unsubscribed");
            page.navigate(link);
            assertThat(page.locator("h1")).hasText("You are already unsubscribed");
            Screens.look(page, "already-unsubscribed");
            page.navigate(url + "/subscribers/details?list=news&email=carla@example.org");
            assertThat(page.locator("h1 + .badge")).hasText("Unsubscribed");
            Screens.look(page, "subscriber-history");
        }

        void keys() {
            open("/keys/new", "key-new");
            page.getByLabel("What it is for").fill("Sign-up form of our shop");
            press("Make the key");
            Screens.look(page, "key-new-errors");
            page.getByLabel("news").check();
            press("Make the key");
            Screens.look(page, "key-made");
            open("/keys", "keys");
        }

        /** Opens the newest mail to an address, as soon as it is there, and takes a link from its text part. */
        private String linkOfNewestMail(String to, String kind) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                page.navigate(url + "/outbox?to=" + to);
                return page.locator("tbody tr").count() > 0;
            });
            page.locator("tbody a").first().click();
            Matcher link = Pattern.compile("http\\S+" + Pattern.quote(kind) + "\\S+")
                    .matcher(page.locator("pre.plain-text").innerText());
            org.assertj.core.api.Assertions.assertThat(link.find()).isTrue();
            return link.group();
        }

        private void follow(String name) {
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName(name).setExact(true))
                    .click();
        }

        private void open(String path, String picture) {
            page.navigate(url + path);
            Screens.look(page, picture);
        }

        private void press(String name) {
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName(name).setExact(true))
                    .click();
        }
    }
}
