package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;

/** The steps that put a new house in order: accounts, lists, subscribers, the mail rate. */
final class HouseWalk extends Steps {

    HouseWalk(Page page, String url) {
        super(page, url);
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
        page.getByLabel("Mails go by").selectOption("spare");
        press("Save");
        assertThat(page.locator("dl.facts").first()).containsText("spare");
        Screens.look(page, "list-of-another-transport");
        open("/lists/contoso1/delete", "list-delete");
    }

    void emptyPages() {
        open("/subscribers?list=news", "subscribers-empty");
        open("/messages", "messages-empty");
        open("/sent", "sent-empty");
        open("/outbox", "outbox-empty");
        open("/dead-letters", "dead-letters-empty");
        open("/events?level=error", "events");
        open("/keys", "keys-empty");
        open("/operations", "operations-empty");
        open("/operations/stop?name=azuremailtestqueue", "operations-stop");
        press("Stop");
        assertThat(page.locator("#queue-azuremailtestqueue .badge")).hasText("Stopped");
        Screens.look(page, "operations-stopped");
        press("Start azuremailtestqueue");
        assertThat(page.locator("#stop-azuremailtestqueue")).isVisible();
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
        page.getByLabel("CSV file", new Page.GetByLabelOptions().setExact(true)).setInputFiles(file);
        page.getByLabel("These people agreed").check();
        press("Import");
        completed();
        assertThat(page.locator("#progress")).containsText("10,001 of 10,001 rows done");
        Screens.look(page, "import-done");
        Download refused = page.waitForDownload(() -> follow("Download the refused rows"));
        Assertions.assertThat(Files.readString(refused.path())).contains("not an address");
        open("/subscribers?list=contoso1&q=reader99", "subscribers-found");
        follow("Next page");
        assertThat(page.locator("tbody tr").first()).isVisible();
        Download all = page.waitForDownload(() -> follow("Export"));
        Assertions.assertThat(Files.readAllLines(all.path())).hasSize(10_003);
    }

    void rate() {
        open("/settings", "mail-rate");
        page.getByLabel("Mails a second").fill("many");
        press("Save");
        Screens.look(page, "mail-rate-errors");
        page.getByLabel("Mails a second").fill("500");
        press("Save");
        assertThat(page.locator(".tiles")).containsText("500");
        follow("spare");
        page.getByLabel("Mails a second").fill("500");
        page.getByLabel("Mails a day").fill("20000");
        press("Save");
        assertThat(page.locator(".tiles")).containsText("20,000");
        Screens.look(page, "mail-rate-of-another-transport");
    }
}
