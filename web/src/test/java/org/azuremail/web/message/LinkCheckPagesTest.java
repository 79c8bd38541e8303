package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.azuremail.message.MessageRef;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

/** Checks the pages on which an admin checks the links of a message. The links here are never requested. */
class LinkCheckPagesTest extends OnMessagePages {

    private static final String LINKS = "<p><a href='http://127.0.0.1:1/'>Inside</a>"
            + "<img src='http://127.0.0.1:1/{{name}}' alt='A picture'><a href='mailto:a@example.org'>Mail</a></p>";

    @Test
    void theContentStepShowsTheResultAndKeepsTheTypedText() throws Exception {
        MessageRef ref = create(Map.of("subject", "Old", "html", "<p>Old</p>"), Map.of());

        edit(ref).submit(check(ref), Map.of("subject", "New", "format", "html", "html", LINKS));

        resultIsShown();
        assertThat(browser.page().select("#html").text()).isEqualTo(LINKS);
        assertThat(browser.page().select("#composer").attr("data-unsaved")).isEqualTo("yes");
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Old");
    }

    @Test
    void theReviewShowsTheResultAndTheMessageCanBeSent() throws Exception {
        MessageRef ref = create(Map.of("subject", "Links", "html", LINKS), Map.of());

        browser.submit("/messages/" + ref + "/links", Map.of());

        resultIsShown();
        assertThat(browser.page().select("form[action$=/send] button")).isNotEmpty();
        assertThat(browser.page().select("#email").attr("value")).isEqualTo("ann@example.org");
    }

    @Test
    void aMessageWithoutListIsNotChecked() throws Exception {
        MessageRef ref = newMessage();
        browser.submit(check(ref), Map.of("list", "", "subject", "Links", "format", "html", "html", LINKS));
        assertThat(browser.page().select("#links .alarm").text())
                .isEqualTo("Correct the message before you check its links.");
    }

    private static String check(MessageRef ref) {
        return edit(ref.toString()) + "/links";
    }

    private void resultIsShown() throws Exception {
        assertThat(browser.status()).isEqualTo(200);
        Element links = browser.page().selectFirst("#links");
        assertThat(links.select("[autofocus]").text()).isEqualTo("One link to look at");
        assertThat(links.select("tbody tr")).hasSize(2);
        assertThat(links.select("tbody tr").get(0).text())
                .isEqualTo("Inside http://127.0.0.1:1/ Problem The address of 127.0.0.1 is not on the public internet,"
                        + " so it was not requested. Most recipients cannot open the link.");
        assertThat(links.select("details tbody tr").text())
                .isEqualTo("Image: A picture http://127.0.0.1:1/{{name}} Not checked"
                        + " Not checked, because its address contains a merge field.");
    }
}
