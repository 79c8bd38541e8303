package org.azuremail.web.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.time.ManualTime;
import org.azuremail.web.PageTest;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@PageTest
class TemplatePagesTest {

    private static int lists;

    @Autowired
    TestBrowser browser;

    @Autowired
    ListStore store;

    @Autowired
    Templates templates;

    @Autowired
    SimulatedStorage storage;

    @Autowired
    ManualTime time;

    private ListName list;
    private String all;
    private String error;

    @BeforeEach
    void aList() throws Exception {
        list = new ListName("worded" + ++lists);
        store.create(MailingList.of(
                list,
                "Words & more",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        all = "/lists/" + list + "/templates";
        error = all + "/error.html";
        browser.signIn();
    }

    @Test
    void anAdminCustomisesSeesWhatDiffersAndReverts() throws Exception {
        assertThat(browser.open(all).page().select("tbody .badge").eachText()).containsOnly("Shared");

        browser.open(error).submit(error, Map.of("text", own("Sorry, {{list}}!")));

        assertThat(browser.text()).contains("is saved", "Customised", "By ann@example.org");
        assertThat(browser.page().select(".diff .added").text()).contains("Sorry, {{list}}!");
        assertThat(browser.page().select(".diff .removed").text()).contains("This link is incomplete");
        assertThat(browser.open("/unsubscribe").text()).contains("This link is incomplete");

        browser.open(error + "/revert");
        assertThat(browser.text()).contains("The copy of the list " + list + " is deleted");
        browser.submit(error + "/revert", Map.of());

        assertThat(browser.text()).contains("follows the shared template again", "Shared");
        assertThat(templates.find(list, TemplateName.ERROR).own()).isNull();
    }

    @Test
    void subscribersSeeTheListsOwnPagesAndLayout() throws Exception {
        String layout = all + "/layout.html";
        browser.open(layout)
                .submit(
                        layout,
                        Map.of(
                                "text",
                                "<title>{{title}}</title><style>h1 { color: red }</style><h2>{{list}}</h2>{{>page}}"));
        browser.open(all + "/unsubscribe.html");
        String shared = browser.page().selectFirst("#text").wholeText();
        browser.submit(
                all + "/unsubscribe.html", Map.of("text", shared.replace("No subscription belongs", "Nobody belongs")));

        browser.open("/unsubscribe?id=1.AAAAAAAAAAAAAAAAAAAAAA&listName=" + list);

        assertThat(browser.page().title()).isEqualTo("Nobody belongs to this link");
        assertThat(browser.page().select("h2").text()).isEqualTo("Words & more");
        assertThat(browser.header("Content-Security-Policy"))
                .contains("style-src 'self' 'sha256-", "frame-ancestors 'none'")
                .doesNotContain("script", "unsafe");
    }

    @Test
    void aBrokenTextIsRefusedAtItsFieldWithLineAndReasonAndIsNotLost() throws Exception {
        browser.open(error).submit(error, Map.of("text", "one\ntwo {{nothing}}"));

        assertThat(browser.errorAt("text")).isEqualTo("Line 2: There is no field “nothing” here.");
        assertThat(browser.page().select("#text").attr("data-line")).isEqualTo("2");
        assertThat(browser.page().selectFirst("#text").text()).contains("two {{nothing}}");
        assertThat(templates.find(list, TemplateName.ERROR).own()).isNull();
    }

    /** G-3: whatever is stored, the page to revert it works. */
    @Test
    void g_3_aBrokenCopyIsShownAndCanBeReverted() throws Exception {
        storage.tables()
                .write(
                        Templates.TABLE,
                        list.value(),
                        Write.insert("error.html", Values.of("Text", "<script>{{#if</script>")));

        assertThat(browser.open(all).text()).contains("Broken");
        assertThat(browser.open(error).page().select("#broken").text()).startsWith("Line 1: ");
        browser.open(error + "/revert").submit(error + "/revert", Map.of());

        assertThat(browser.text()).contains("follows the shared template again");
    }

    @Test
    void ofTwoAdminsTheSecondSeesTheTextOfTheFirst() throws Exception {
        browser.open(error);
        MailingList words = store.findActive(list).orElseThrow();
        templates.save(words, templates.find(list, TemplateName.ERROR), own("First"), "bob@example.org");

        browser.submit(error, Map.of("text", own("Second")));

        assertThat(browser.text()).contains("Somebody else has changed this template");
        assertThat(browser.page().select("textarea[readonly]").text()).contains("First");
        browser.submit(error, Map.of("text", own("Second")));
        assertThat(templates.find(list, TemplateName.ERROR).text()).contains("Second");
    }

    @Test
    void thePreviewShowsWhatIsTypedRunsNothingAndSavesNothing() throws Exception {
        preview(own("Hello {{list}}"), "unknown");

        assertThat(browser.text()).contains("This link does not work").doesNotContain("Hello");
        assertThat(browser.header("Content-Security-Policy"))
                .contains("default-src 'none'", "form-action 'none'", "frame-ancestors 'self'");
        preview(own("Hello {{list}}"), "incomplete");
        assertThat(browser.text()).contains("Hello Words & more");
        preview("{{nothing}}", "unknown");
        assertThat(browser.text()).isEqualTo("Line 1: There is no field “nothing” here.");
        for (TemplateName name : TemplateName.values()) {
            assertThat(browser.open(all + "/" + name.file() + "/preview").text())
                    .isNotBlank();
            assertThat(browser.status()).isEqualTo(200);
        }
        assertThat(templates.find(list, TemplateName.ERROR).own()).isNull();
    }

    @Test
    void aTemplateThatDoesNotExistIsAFriendlyPage() throws Exception {
        assertThat(browser.open(all + "/x.html").status()).isEqualTo(404);
        assertThat(browser.open("/lists/nothing/templates").status()).isEqualTo(404);
    }

    private void preview(String text, String occasion) throws Exception {
        String token = browser.open(error).page().selectFirst("[name=_csrf]").val();
        browser.postForged(error + "/preview", Map.of("text", text, "occasion", occasion, "_csrf", token));
    }

    private String own(String heading) {
        return templates.find(list, TemplateName.ERROR).shared().text().replace("This link is incomplete", heading);
    }
}
