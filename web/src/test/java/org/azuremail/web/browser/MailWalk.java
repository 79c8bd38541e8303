package org.azuremail.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.LoadState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;

/** The steps around emails: confirming, writing, sending, unsubscribing, and the requests of programs. */
final class MailWalk extends Steps {

    MailWalk(Page page, String url) {
        super(page, url);
    }

    void confirming() {
        page.navigate(url + "/subscribers/details?list=news&email=dora@example.org");
        press("Send a confirmation email");
        assertThat(page.locator(".notice")).containsText("on its way");
        String link = linkOfNewestMail("dora@example.org", "/subscribe?");
        openLikeAScanner(link);
        Screens.look(page, "outbox-mail");
        page.navigate(link);
        Screens.look(page, "confirm");
        page.navigate(url + "/subscribers/details?list=news&email=dora@example.org");
        assertThat(page.locator("h1 + .badge")).hasText("Unconfirmed");
        page.navigate(link);
        press("Confirm my subscription");
        assertThat(page.locator("main")).containsText("do**@*******.org has been subscribed to: Our newsletter");
        Screens.look(page, "welcome");
        open("/subscribe?id=7.AAAAAAAAAAAAAAAAAAAAAA&listName=news", "confirm-dead");
        press("Send me a new email");
        assertThat(page.locator("h1")).hasText("Check your email");
        Screens.look(page, "confirm-new-email");
        open("/subscribe?id=7.AAAAAAAAAAAAAAAAAAAAAA&listName=nowhere", "confirm-unknown");
        open("/unsubscribe?id=&listName=", "link-not-whole");
    }

    /**
     * I5: opening a link changes nothing, with or without scripts. The same is true of the link to the other page, and
     * of links with answers.
     */
    private void openLikeAScanner(String link) {
        String other = link.contains("/unsubscribe?")
                ? link.replace("/unsubscribe?", "/subscribe?")
                : link.replace("/subscribe?", "/unsubscribe?");
        try (Page scanner = page.context().browser().newPage()) {
            for (String opened : List.of(link, other)) {
                for (String answer :
                        List.of("", "&answer=confirm", "&answer=new-link", "&List-Unsubscribe=One-Click")) {
                    scanner.navigate(opened + answer);
                    scanner.waitForLoadState(LoadState.NETWORKIDLE);
                }
            }
        }
    }

    void message(Path data) throws Exception {
        Path html = Files.writeString(
                data.resolve("hello.htm"), "<h1>Hello {{name|reader}}</h1><p>News of <b>{{list}}</b>.</p>");
        Path text = Files.writeString(data.resolve("hello.txt"), "Hello {{name|reader}}, there is news.\n");
        open("/messages/new?list=news", "message-new");
        press("Continue to recipients and time");
        press("1. Content");
        assertThat(page.locator("#preview-words")).containsText("2 things to correct before you can send");
        Screens.look(page, "message-new-errors");
        page.getByLabel("Subject line").fill("First news");
        page.getByText("Upload files").click();
        page.getByLabel("HTML file").setInputFiles(html);
        page.getByLabel("Text file").setInputFiles(text);
        press("Continue to recipients and time");
        page.getByLabel("On this date").check();
        page.getByLabel("Time zone").selectOption("Europe/Berlin");
        press("Continue to review");
        schedule();
        Screens.look(page, "message-pending");
        open("/messages", "messages");
        page.getByRole(
                        AriaRole.LINK,
                        new Page.GetByRoleOptions().setName("First news").setExact(true))
                .click();
        followInMenu("Preview and test email");
        Screens.look(page, "message-preview");
        assertThat(page.locator("iframe.light").last().contentFrame().locator("h1"))
                .hasText("Hello Alex Sample");
        page.locator("#email").fill("boss@example.org");
        press("Send test email");
        assertThat(page.locator(".notice")).containsText("The test email is in the outbox.");
        String link = linkOfNewestMail("boss@example.org", "/unsubscribe?");
        assertThat(page.locator("h1")).hasText("[Test] First news");
        page.navigate(link);
        assertThat(page.locator("h1")).hasText("This was a test email");
        Screens.look(page, "test-email");
    }

    void sending() {
        page.navigate(url + "/messages");
        page.getByRole(
                        AriaRole.LINK,
                        new Page.GetByRoleOptions().setName("First news").setExact(true))
                .click();
        follow("Edit message");
        Screens.look(page, "message-edit");
        press("2. Recipients and time");
        page.getByLabel("Now", new Page.GetByLabelOptions().setExact(true)).check();
        press("Save changes");
        send();
        ended("Sent");
        assertThat(page.locator(".progress-line")).containsText("2 of 2");
        assertThat(page.locator("#facts")).containsText("Finished");
        Screens.look(page, "message-completed");
        assertThat(page.locator("#domains"))
                .containsText("example.org", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
        Screens.look(page, "message-figures");
        followInMenu("Recipients");
        Screens.look(page, "recipients");
        page.getByLabel("Why did an address get this message, or not?").fill("carla@example.org");
        press("Search");
        assertThat(page.locator("#story")).containsText("the provider accepted the email");
        Screens.look(page, "recipient-search");
        open("/messages?tab=sent", "messages-sent");
        open("/messages", "messages-all-sent");
        open("/operations", "operations");
    }

    /**
     * Sends a message to ten thousand people at 500 emails a second, which leaves time to pause, resume and cancel it.
     */
    void stopping() {
        page.navigate(url + "/messages/new?list=contoso1");
        page.getByLabel("Subject line").fill("New lecture series " + "without-a-space".repeat(20));
        html("<p>Dear {{name|student}}</p>");
        press("Continue to recipients and time");
        press("Continue to review");
        Screens.look(page, "message-send-question");
        send();
        assertThat(page.locator(".progress-line"))
                .containsText(
                        "of 10,001 recipients done", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
        assertThat(page.locator("#progress .head .badge")).hasText("Sending");
        assertThat(page.locator("#pace")).containsText(" a second");
        Screens.look(page, "message-processing");
        press("Pause message");
        assertThat(page.locator(".alarm")).containsText("Sending is paused.");
        Screens.look(page, "message-paused");
        press("Resume message");
        assertThat(page.locator(".notice")).containsText("The message is resumed");
        followInMenu("Cancel message");
        Screens.look(page, "message-cancel");
        press("Cancel message");
        assertThat(page.locator(".progress-line"))
                .containsText("10,001 of 10,001", new LocatorAssertions.ContainsTextOptions().setTimeout(60_000));
        assertThat(page.locator("#progress .head .badge")).hasText("Cancelled");
        Screens.look(page, "message-cancelled");
        open("/messages?tab=sent", "messages-sent-long-subject");
    }

    void leaving() {
        String link = linkOfNewestMail("carla@example.org", "/unsubscribe?");
        openLikeAScanner(link);
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

    String key() {
        open("/keys/new", "key-new");
        page.getByLabel("Purpose").fill("Sign-up form of our shop");
        press("Create the key");
        Screens.look(page, "key-new-errors");
        page.getByLabel("news").check();
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Create the key"))
                .dblclick();
        assertThat(page.locator("code.secret")).isVisible();
        Screens.look(page, "key-made");
        String key = page.locator("code.secret").innerText();
        open("/keys", "keys");
        assertThat(page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("Sign-up form of our shop")))
                .hasCount(1);
        return key;
    }

    /** A partner's site subscribes a person, who confirms, and unsubscribes with one click in the mail program. */
    void partner(String key) throws Exception {
        Calls calls = new Calls(url, key);
        Assertions.assertThat(calls.post("/api/v1/lists/news/subscriptions", "{\"email\":\"eve@example.org\"}"))
                .isEqualTo("202");
        Assertions.assertThat(calls.post("/api/v1/lists/fabrikam1/subscriptions", "{\"email\":\"eve@example.org\"}"))
                .isEqualTo("403");
        linkOfNewestMail("eve@example.org", "/subscribe?");
        Page confirm = page.waitForPopup(() -> page.frameLocator("iframe")
                .getByRole(AriaRole.LINK)
                .filter(new Locator.FilterOptions().setHasText("Confirm"))
                .click());
        confirm.getByText("Confirm my subscription").click();
        assertThat(confirm.locator("main")).containsText("ev*@*******.org has been subscribed");
        confirm.close();
        Assertions.assertThat(calls.get("/api/SubscribeAPI?emailAddress=eve@example.org&listName=news"))
                .isEqualTo("400 eve@example.org Currently subscribed to: news");
        sendNow("Second news");
        String link = linkOfNewestMail("eve@example.org", "/unsubscribe?");
        Assertions.assertThat(calls.oneClick(link)).isEqualTo("200 Unsubscribed.");
        page.navigate(url + "/subscribers/details?list=news&email=eve@example.org");
        assertThat(page.locator("h1 + .badge")).hasText("Unsubscribed");
    }

    private void sendNow(String subject) {
        page.navigate(url + "/messages/new?list=news");
        page.getByLabel("Subject line").fill(subject);
        html("<p>Hello {{name|you}}</p>");
        press("Continue to recipients and time");
        press("Continue to review");
        send();
        ended("Sent");
    }

    private void html(String html) {
        page.locator("[name=format][value=html]").check();
        page.locator(".as-html .CodeMirror-code").fill(html);
    }

    private void send() {
        page.locator("form[action$='/send'] button").click();
    }

    private void schedule() {
        page.locator("form[action$='/schedule'] button").click();
    }
}
