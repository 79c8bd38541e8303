package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import org.awaitility.Awaitility;

/** The steps of a person whose browser runs no scripts. */
final class ScriptlessWalk {

    private final Page page;
    private final String url;

    ScriptlessWalk(Page page, String url) {
        this.page = page;
        this.url = url;
        page.setDefaultTimeout(20_000);
    }

    void firstAccount(String link) {
        page.navigate(link);
        page.getByLabel("Email address").fill("ann@example.org");
        page.getByLabel("Choose a password").fill("seven wet otters");
        page.getByLabel("Repeat the password").fill("seven wet otters");
        press("Create the account");
    }

    void sampleLists() {
        press("Load the samples");
        page.getByText("contoso1").first().click();
        assertThat(page.locator(".legend")).containsText("Subscribed 1");
    }

    void send() {
        page.getByText("Write a message").click();
        page.getByLabel("Subject line").fill("Without scripts");
        page.locator("[name=format][value=html]").check();
        page.locator("#html").fill("<p>Hello</p>");
        press("Continue to recipients and time");
        press("Continue to review");
        press("Send to 1 person");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            page.reload();
            return page.locator("#progress .head .badge").innerText().equals("Sent");
        });
        assertThat(page.locator(".progress-line")).containsText("1 of 1");
    }

    void openTheMenuOnAPhone() {
        page.setViewportSize(390, 844);
        page.navigate(url + "/sent");
        page.locator(".burger summary").click();
        page.locator(".burger").getByText("Outbox").click();
        assertThat(page.locator("tbody")).containsText("student1@domain.com");
    }

    void signOut() {
        page.locator(".burger summary").click();
        page.locator(".burger").getByText("Sign out").click();
        assertThat(page.locator(".notice")).hasText("You are signed out.");
    }

    private void press(String name) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(name).setExact(true))
                .click();
    }
}
