package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.Test;

/** A message that is looked at, sent and deleted. */
class MessagePagesTest extends OnMessagePages {

    @Test
    void aMessageForNowIsAskedAboutOnceMoreAndThenGoes() throws Exception {
        MessageRef ref = create(Map.of("subject", "At once", "html", HTML), Map.of());
        assertThat(browser.text()).contains("Send now to 0 people?", "At once");
        assertThat(messages.find(ref).orElseThrow().paused()).isTrue();
        time.advance(Duration.ofHours(1));

        browser.submit("/messages/" + ref + "/send", Map.of());

        Message sent = messages.find(ref).orElseThrow();
        assertThat(browser.text()).contains("The message goes out now");
        assertThat(sent.paused()).isFalse();
        assertThat(sent.scheduledDate()).isEqualTo(time.instant());
        assertThat(browser.open("/messages/" + ref + "/send").text()).contains("not possible any more");
    }

    @Test
    void e20_messageTakenBetweenQuestionAndAnswerIsNotDeleted() throws Exception {
        MessageRef ref = pending("Stays");
        browser.open("/messages/" + ref + "/delete");
        take(ref);

        browser.submit("/messages/" + ref + "/delete", Map.of());

        assertThat(browser.text()).contains("can't be deleted because it isn't in Pending status");
        assertThat(bodies(ref).html()).isEqualTo(HTML);
    }

    @Test
    void pendingMessageIsDeleted() throws Exception {
        MessageRef ref = pending("Goes");

        browser.open("/messages/" + ref + "/delete").submit("/messages/" + ref + "/delete", Map.of());

        assertThat(browser.text()).contains("The message is deleted");
        assertThat(messages.find(ref)).isEmpty();
        assertThat(browser.open("/messages/" + ref).status()).isEqualTo(404);
    }

    @Test
    void previewRunsNothingOfTheMail() throws Exception {
        MessageRef ref = pending("Preview");

        browser.open("/messages/" + ref + "/preview.html");

        assertThat(browser.body()).contains("Hello Alex Sample");
        assertThat(browser.header("Content-Security-Policy"))
                .startsWith("sandbox")
                .contains("default-src 'none'", "frame-ancestors 'self'")
                .doesNotContain("script-src", "allow-scripts", "allow-same-origin");
        assertThat(browser.open("/messages/" + ref + "/preview")
                        .page()
                        .select("iframe[sandbox]")
                        .attr("sandbox"))
                .doesNotContain("allow-scripts")
                .doesNotContain("allow-same-origin");
    }

    @Test
    void thePreviewShowsWhatStandsInForEmptyFieldsToo() throws Exception {
        MessageRef ref = create(Map.of("subject", "For {{name|somebody}}", "html", HTML), Map.of());

        assertThat(browser.open("/messages/" + ref + "/preview").text()).contains("For Alex Sample");
        assertThat(browser.open("/messages/" + ref + "/preview?known=false").text())
                .contains("For somebody");
        assertThat(browser.page().select("iframe").attr("src")).endsWith("known=false");
        assertThat(browser.open("/messages/" + ref + "/preview.html?known=false")
                        .body())
                .contains("Hello you");
    }
}
