package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks how a message is shown, sent and deleted. */
class MessagePagesTest extends OnMessagePages {

    @Autowired
    SimulatedStorage simulated;

    @Test
    void aMessageForNowIsAskedAboutOnceMoreAndThenGoes() throws Exception {
        MessageRef ref = create(Map.of("subject", "At once", "html", HTML), Map.of());
        assertThat(browser.text()).contains("Send to nobody yet", "At once");
        assertThat(messages.find(ref).orElseThrow().paused()).isTrue();
        time.advance(Duration.ofHours(1));

        browser.submit("/messages/" + ref + "/send", Map.of());

        Message sent = messages.find(ref).orElseThrow();
        assertThat(browser.text()).contains("The message is about to be sent");
        assertThat(sent.paused()).isFalse();
        assertThat(sent.scheduledDate()).isEqualTo(time.instant().plusSeconds(30));
        assertThat(browser.open("/messages/" + ref + "/send").page().select("form[action$=/send]"))
                .isEmpty();
    }

    @Test
    void moreMessagesThanAPageHoldsComePageByPageAndOnlyTheShownAreRead() throws Exception {
        List<String> refs = new ArrayList<>();
        for (int number = 0; number < 120; number++) {
            Schedule schedule =
                    new Schedule(Instant.parse("2040-01-01T00:00:00Z").plusSeconds(number / 2), ZoneOffset.UTC);
            Messages.MessageCreateResult made = messages.create(new Messages.NewMessage(
                    new ListName("readers"),
                    Draft.of("No. " + number, HTML, "text"),
                    schedule,
                    OnUnknown.HOLD,
                    "ann",
                    false));
            refs.add(((Messages.MessageCreateResult.Created) made)
                    .message()
                    .ref()
                    .toString());
        }

        List<String> shown = new ArrayList<>();
        String next = "/messages";
        while (!next.isEmpty()) {
            long before = simulated.calls(Call.Kind.GET);
            browser.open(next);
            assertThat(simulated.calls(Call.Kind.GET) - before).isLessThanOrEqualTo(60);
            List<String> links = browser.page().select("tbody th a").eachAttr("href");
            assertThat(links).hasSizeLessThanOrEqualTo(50);
            links.forEach(link -> shown.add(link.replace("/messages/", "")));
            next = browser.page().select("a:contains(Next page)").attr("href");
        }

        assertThat(shown).doesNotHaveDuplicates();
        assertThat(shown).containsSubsequence(refs);
        assertThat(browser.page().select("a:contains(First page)").attr("href")).isEqualTo("/messages");
        for (String forged : List.of("forged", "u.forged", "u.1.0", "..", "1", "u.2040-01-01T00:00:00Z.0")) {
            assertThat(browser.open("/messages?cursor=" + forged).status()).isEqualTo(400);
        }
    }

    @Test
    void e20_messageTakenBetweenQuestionAndAnswerIsNotDeleted() throws Exception {
        MessageRef ref = pending("Stays");
        browser.open("/messages/" + ref + "/delete");
        take(ref);

        browser.submit("/messages/" + ref + "/delete", Map.of());

        assertThat(browser.text()).contains("This message can no longer be deleted");
        assertThat(bodies(ref).html()).isEqualTo(HTML);
    }

    @Test
    void aDraftThatSomebodyWentOnWritingMeanwhileIsNotDeleted() throws Exception {
        MessageRef ref = create(Map.of("subject", "First thoughts", "html", HTML), Map.of());
        TestBrowser other = browsers.getObject().signIn();
        other.open("/messages/" + ref + "/delete");
        edit(ref);
        browser.submit(edit(ref.toString()), Map.of("subject", "Second thoughts"));

        other.submit("/messages/" + ref + "/delete", Map.of());

        assertThat(other.text()).contains("Nothing was changed: the message has moved on");
        assertThat(messages.find(ref).orElseThrow().subject()).isEqualTo("Second thoughts");
    }

    @Test
    void aDoubleClickDeletesAMessageOnce() throws Exception {
        MessageRef ref = pending("Twice");
        browser.open("/messages/" + ref + "/delete").submitTwice("/messages/" + ref + "/delete", Map.of(), Map.of());

        assertThat(browser.text()).contains("The message is deleted");
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

        assertThat(browser.body()).contains("Hello Alex Sample").startsWith("<base target=\"_blank\"><style>");
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
        assertThat(browser.open("/messages/" + ref + "/preview?bare=true").text())
                .contains("For somebody", "Shown to a person without values");
        assertThat(browser.page().select("iframe.light").attr("src")).endsWith("?bare=true");
        assertThat(browser.open("/messages/" + ref + "/preview.html?bare=true").body())
                .contains("Hello you");
    }
}
