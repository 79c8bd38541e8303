package org.azuremail.web.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.ListMail;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.Mailbox;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.template.ProductTemplates;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class OutboxPagesTest {

    private static final URI URL = URI.create("http://localhost:8080");
    private static final ListIdentity LIST = new ListIdentity(
            new ListName("news"),
            "News",
            new Mailbox(new EmailAddress("news@example.org"), "News"),
            null,
            "en",
            Brand.NONE);

    @Autowired
    TestBrowser browser;

    @Autowired
    OutboxStore outbox;

    @Test
    void mailIsFoundByItsRecipientAndShownWithoutRunningAnything() throws Exception {
        keep("zoe@example.org", "<p>Hello</p><script>alert(1)</script>");
        keep("other@example.org", "<p>Hello</p>");
        browser.signIn().open("/outbox?to=Zoe@example.org");
        assertThat(browser.page().select("tbody tr")).hasSize(1);

        String address = browser.page().select("tbody a").attr("href");
        browser.open(address);
        assertThat(browser.text())
                .contains("Subject of zoe@example.org", "List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
        assertThat(browser.page().select("script:not([src])")).isEmpty();

        browser.open(address + "/html");
        assertThat(browser.header("Content-Security-Policy"))
                .startsWith("sandbox")
                .contains("default-src 'none'")
                .doesNotContain("script-src", "allow-scripts", "allow-same-origin");
        assertThat(browser.page().select("base").attr("target")).isEqualTo("_blank");

        browser.open(address + "/raw");
        assertThat(browser.header("Content-Disposition")).contains("attachment", ".eml");
        assertThat(browser.header("Content-Type")).startsWith("message/rfc822");
        assertThat(browser.body()).contains("Alex Sample <zoe@example.org>", "MIME-Version: 1.0");
    }

    @Test
    void unknownMailIsAFriendlyPage() throws Exception {
        browser.signIn();
        for (String path : List.of("/outbox/nothing", "/outbox/nothing/raw", "/outbox/nothing/html")) {
            assertThat(browser.open(path).status()).as(path).isEqualTo(404);
            assertThat(browser.text()).contains("no longer in the outbox");
        }
    }

    private void keep(String to, String html) {
        outbox.store(new MailLot(
                ListMail.content("m-" + to, LIST, "Subject of {{email}}", html, "Hello", URL, ProductTemplates.CHOSEN),
                List.of(ListMail.sample(
                        LIST,
                        URL,
                        "m",
                        new EmailAddress(to),
                        Map.<String, String>of().keySet()))));
    }
}
