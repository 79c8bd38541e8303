package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;

/** The steps that set up a new installation: accounts, lists, subscribers and transports. */
final class HouseWalk extends Steps {

    HouseWalk(Page page, String url) {
        super(page, url);
    }

    void firstAccount(String link) {
        page.navigate(link);
        Screens.look(page, "setup");
        page.getByLabel("Email address").fill("ann@example.org");
        page.getByLabel("Choose a password").fill("short");
        press("Create the account");
        Screens.look(page, "setup-errors");
        page.getByLabel("Choose a password").fill("seven wet otters");
        page.getByLabel("Repeat the password").fill("seven wet otters");
        press("Create the account");
        assertThat(page.locator("h1")).hasText("Dashboard");
        page.navigate(link);
        assertThat(page.locator("h1")).hasText("The set-up is done");
        Screens.look(page, "setup-done");
    }

    void lists() {
        open("/lists", "lists-empty");
        press("Load the samples");
        Screens.look(page, "lists");
        open("/lists/new", "list-new");
        page.getByLabel("List name").fill("news letter");
        page.getByLabel("Description").fill("Our newsletter");
        assertThat(page.locator("#name-error")).containsText("Only alphanumeric");
        press("Create the list");
        Screens.look(page, "list-new-errors");
        page.getByLabel("List name").fill("news");
        page.getByLabel("‘From’ email address").fill("news@example.org");
        press("Create the list");
        Screens.look(page, "list-made");
        open("/lists/contoso1", "list");
        open("/lists/contoso1/edit", "list-edit");
        page.locator("details.more > summary").click();
        page.getByLabel("Transport").selectOption("spare");
        press("Save list");
        assertThat(page.locator("dl.facts").first()).containsText("spare");
        Screens.look(page, "list-of-another-transport");
        open("/lists/contoso1/delete", "list-delete");
    }

    void emptyPages() {
        open("/subscribers?list=news", "subscribers-empty");
        open("/messages", "messages-empty");
        open("/messages?tab=sent", "messages-sent-empty");
        open("/outbox", "outbox-empty");
        open("/dead-letters", "dead-letters-empty");
        open("/events?level=error", "events");
        open("/keys", "keys-empty");
        open("/settings/general", "general");
        open("/operations", "operations-empty");
        open("/operations/stop?name=azuremailtestqueue", "operations-stop");
        press("Stop “Test emails (azuremailtestqueue)”");
        assertThat(page.locator("#queue-azuremailtestqueue .badge")).hasText("Stopped");
        Screens.look(page, "operations-stopped");
        press("Start azuremailtestqueue");
        assertThat(page.locator("#stop-azuremailtestqueue")).isVisible();
        page.navigate(url + "/nowhere");
        Screens.look(page, "not-found");
    }

    void accounts() {
        open("/accounts", "accounts");
        page.getByLabel("Email address").fill("bob@example.org");
        press("Create an invitation");
        Screens.look(page, "invitation");
        String link = page.locator("code.secret").innerText();
        open("/account", "account");
        press("Sign out");
        Screens.look(page, "sign-in");
        page.navigate(link);
        Screens.look(page, "invitation-accept");
        page.getByLabel("New password").fill("nine dry badgers");
        page.getByLabel("Repeat the password").fill("nine dry badgers");
        press("Save and sign in");
        assertThat(page.locator(".notice")).containsText("Your password is set");
    }

    void subscribers() {
        open("/subscribers?list=contoso1", "subscribers");
        open("/subscribers/new?list=news", "subscriber-new");
        page.getByLabel("Email address").fill("carla@");
        press("Add a subscriber");
        Screens.look(page, "subscriber-new-errors");
        page.getByLabel("Email address").fill("carla@example.org");
        page.getByLabel("Name").fill("Carla");
        page.getByLabel("Verified").check();
        press("Add a subscriber");
        Screens.look(page, "subscriber");
        open("/subscribers/edit?list=news&email=carla@example.org", "subscriber-edit");
        open("/subscribers/delete?list=news&email=carla@example.org", "subscriber-delete");
        open("/subscribers/new?list=news", "subscriber-new");
        page.getByLabel("Email address").fill("dora@example.org");
        press("Add a subscriber");
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
        press("Import subscribers");
        Screens.look(page, "import-errors");
        page.getByLabel("CSV file", new Page.GetByLabelOptions().setExact(true)).setInputFiles(file);
        page.getByLabel("These people agreed").check();
        press("Import subscribers");
        ended("Completed");
        assertThat(page.locator("#progress")).containsText("10,000");
        Screens.look(page, "import-done");
        Download refused = page.waitForDownload(() -> follow("Download the refused rows"));
        Assertions.assertThat(Files.readString(refused.path())).contains("not an address");
        open("/subscribers?list=contoso1&q=reader99", "subscribers-found");
        follow("Next page");
        assertThat(page.locator("tbody tr").first()).isVisible();
        Download all = page.waitForDownload(() -> followInMenu("Export as CSV"));
        Assertions.assertThat(Files.readAllLines(all.path())).hasSize(10_003);
    }

    void sending() {
        open("/settings", "sending");
        follow("main");
        Screens.look(page, "transport");
        page.getByLabel("Emails a second").fill("many");
        press("Save the limits");
        Screens.look(page, "transport-errors");
        page.getByLabel("Emails a second").fill("500");
        press("Save the limits");
        open("/settings/transports/spare", "transport-of-the-settings");
        page.getByLabel("Emails a second").fill("500");
        page.getByLabel("Emails a day").fill("20000");
        press("Save the limits");
        open("/settings", "sending-limits");
        assertThat(page.locator("tbody")).containsText("20,000 a day");
        follow("Add a transport");
        Screens.look(page, "providers");
        follow("Your own SMTP server");
        page.locator("[id='set.port']").fill("99999");
        press("Add the transport");
        Screens.look(page, "transport-form-errors");
        page.locator("[id='set.host']").fill("localhost");
        page.locator("[id='set.port']").fill("1");
        page.locator("[id='set.password']").fill("secret");
        press("Add the transport");
        Screens.look(page, "transport-added");
        page.getByLabel("Send to").fill("ann@example.org");
        page.getByLabel("Send from").fill("news@example.org");
        press("Send the test email");
        assertThat(page.locator("#result")).containsText("Not sent");
        Screens.look(page, "transport-tested");
        open("/settings/transports/own-server/edit", "transport-form");
        open("/settings/transports/own-server/remove", "transport-removal");
        press("Remove own-server");
        assertThat(page.locator("main")).containsText("own-server is removed");
    }
}
