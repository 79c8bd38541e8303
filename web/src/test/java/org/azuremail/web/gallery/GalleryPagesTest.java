package org.azuremail.web.gallery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.azuremail.gallery.Gallery;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the pages of message templates. */
@PageTest
class GalleryPagesTest {

    @Autowired
    TestBrowser browser;

    @Autowired
    Gallery gallery;

    @Autowired
    ListStore lists;

    @BeforeEach
    void signedIn() throws Exception {
        browser.signIn();
    }

    @Test
    void aShippedTemplateIsCopiedChangedAndDeleted() throws Exception {
        browser.open("/templates/new?from=event");
        String mjml = browser.page().select("#mjml").first().wholeText();
        assertThat(mjml).contains("{{content}}");

        browser.submit("/templates/new", Map.of("name", "party", "mjml", mjml));
        assertThat(gallery.stored(null, "party")).isPresent();
        assertThat(browser.open("/templates").page().text()).contains("party", "Announcement");

        browser.open("/templates/party/edit");
        browser.submit("/templates/party/edit", Map.of("mjml", mjml.replace("{{content}}", "\n{{nobody}}")));
        assertThat(browser.errorAt("mjml")).contains("Line ", "{{nobody}}");
        assertThat(browser.errorAt("mjml"))
                .startsWith("Line " + browser.page().select("#mjml").attr("data-line") + ":");
        browser.submit(
                "/templates/party/edit", Map.of("mjml", mjml.replace("</mj-body>", "<script>x</script></mj-body>")));
        assertThat(browser.errorAt("mjml")).contains("Line ", "<script> is not allowed in <mj-body>");
        browser.submit("/templates/party/edit", Map.of("mjml", mjml.replace("invitation", "welcome")));
        assertThat(gallery.stored(null, "party").orElseThrow().value().mjml().text())
                .contains("welcome");

        browser.open("/templates/party/delete");
        browser.submit("/templates/party/delete", Map.of());
        assertThat(gallery.stored(null, "party")).isEmpty();
    }

    /** People look for the confirmation email here, too. */
    @Test
    void theWayToThePagesAndEmailsOfAListIsShown() throws Exception {
        ListName name = new ListName("pages");
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "");
        lists.create(MailingList.of(name, "", from, OptIn.DOUBLE, Instant.EPOCH));

        assertThat(browser.open("/templates").text()).contains("confirmation email");
        assertThat(browser.page().select("main p a[href=/lists]")).hasSize(1);
        assertThat(browser.open("/templates?list=pages").page().select("main p a[href=/lists/pages/templates]"))
                .hasSize(1);
        lists.markDeleting(name);
        lists.remove(name);
    }

    @Test
    void namesThatCannotBeAreRefusedAtTheirField() throws Exception {
        browser.open("/templates/new");
        browser.submit("/templates/new", Map.of("name", "letter"));
        assertThat(browser.errorAt("name")).contains("comes with AzureMail");
        browser.submit("/templates/new", Map.of("name", "No good"));
        assertThat(browser.errorAt("name")).contains("lower-case");
    }

    @Test
    void aListThatIsDeletedMeanwhileGetsNoTemplate() throws Exception {
        ListName gone = new ListName("gone");
        Mailbox from = new Mailbox(new EmailAddress("news@example.org"), "");
        lists.create(MailingList.of(gone, "", from, OptIn.DOUBLE, Instant.EPOCH));
        browser.open("/templates/new?list=gone");
        lists.markDeleting(gone);
        lists.remove(gone);

        browser.submit("/templates/new", Map.of("name", "autumn"));

        assertThat(browser.text()).contains("There is no list gone.");
        assertThat(gallery.stored(gone)).isEmpty();
    }
}
