package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Outcome;
import org.azuremail.message.Schedule;
import org.azuremail.web.EndedMessage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests the list of all messages with its tabs, search, results and actions. */
class MessageListTest extends OnMessagePages {

    @Autowired
    EndedMessage made;

    @Test
    void eachTabHasTheMessagesOfItsKindAndAllHasEveryOne() throws Exception {
        pending("Zebra scheduled");
        made("Zebra draft", true);
        made.goingOut("zebra_going", Map.of("a@example.org", Outcome.SENT), 9);
        made.completed("zebra_done", Map.of("a@example.org", Outcome.SENT));

        assertThat(subjects("/messages?tab=scheduled&q=zebra")).containsExactly("Zebra scheduled");
        assertThat(subjects("/messages?tab=drafts&q=zebra")).containsExactly("Zebra draft");
        assertThat(subjects("/messages?tab=sending&q=zebra")).containsExactly("News for zebra_going");
        assertThat(subjects("/messages?tab=sent&q=zebra")).containsExactly("News for zebra_done");
        assertThat(subjects("/messages?q=zebra"))
                .containsExactlyInAnyOrder(
                        "Zebra scheduled", "Zebra draft", "News for zebra_going", "News for zebra_done");
        assertThat(browser.page().select(".tabs a[aria-current=page]").text()).isEqualTo("All");
        assertThat(browser.page().select("table.stack thead th").eachText())
                .startsWith("Subject line", "List name", "Scheduled date", "Status", "Result");
    }

    @Test
    void theAddressOfSentMessagesLeadsToTheirTab() throws Exception {
        assertThat(browser.open("/sent").address()).isEqualTo("/messages?tab=sent");
        assertThat(browser.page().select(".tabs a[aria-current=page]").text()).isEqualTo("Sent");
    }

    @Test
    void aSearchFindsTheBeginningOfAWordAListOrANumber() throws Exception {
        MessageRef ref = pending("Quarterly  Übersicht (maiden 2) 100% .*");
        for (String words :
                List.of("quart", "QUARTERLY über", "übersicht", "maiden", "100%", ".*", " 2)", ref.toString())) {
            assertThat(subjects("/messages?q=" + encoded(words))).as(words).hasSize(1);
        }
        for (String words : List.of("arterly", "bersicht", "\\E", "999999999999999999", "no such thing")) {
            assertThat(subjects("/messages?q=" + encoded(words))).as(words).isEmpty();
        }
        assertThat(browser.text()).contains("No message matches");
        assertThat(subjects("/messages?q=read")).isNotEmpty();
    }

    @Test
    void theResultOfASentMessageIsSeenAtOnce() throws Exception {
        made.completed(
                "result_glance",
                Map.of(
                        "a@example.org",
                        Outcome.SENT,
                        "b@example.org",
                        Outcome.FAILED,
                        "c@example.org",
                        Outcome.UNKNOWN));

        browser.open("/messages?tab=sent&q=result_glance");

        assertThat(browser.page().select("td[data-label=Result]").text()).isEqualTo("Sent 1 of 3 1 failed 1 unknown");
    }

    @Test
    void aPageReadsABoundedNumberOfMessagesAndTheNextOneGoesOn() throws Exception {
        List<MessageRef> refs = IntStream.range(0, 120)
                .mapToObj(i -> made(i == 119 ? "Needle" : "Hay " + i, false))
                .collect(Collectors.toList());
        List<String> found = new ArrayList<>();
        for (String next = "/messages?tab=scheduled&q=hay"; !next.isEmpty(); ) {
            List<String> shown = subjects(next);
            assertThat(shown).hasSizeLessThan(100);
            found.addAll(shown);
            next = browser.page().select(".pager a:contains(Next page)").attr("href");
        }
        assertThat(found).hasSize(119).doesNotHaveDuplicates();
        assertThat(subjects("/messages?tab=scheduled&q=needle")).containsExactly("Needle");
        refs.forEach(ref -> messages.delete(messages.findActive(ref).orElseThrow()));
    }

    @Test
    void aCursorOfNobodysIsRefused() throws Exception {
        for (String cursor : List.of("x", "", "u", "f-1", "q9", "u%F0%9F")) {
            assertThat(browser.open("/messages?cursor=" + cursor).status())
                    .as(cursor)
                    .isIn(200, 400);
        }
        assertThat(browser.open("/messages?tab=nonsense&q=%00").status()).isIn(200, 400);
    }

    @Test
    void aDuplicateIsADraftWithTheSameContent() throws Exception {
        Message sent = made.completed("copied_from", Map.of("a@example.org", Outcome.SENT));

        browser.open("/messages/" + sent.ref()).submit("/messages/" + sent.ref() + "/duplicate", Map.of());

        assertThat(browser.address()).matches("/messages/\\d+/edit");
        MessageRef copy =
                MessageRef.parse(browser.address().replaceAll("\\D", "")).orElseThrow();
        Message duplicate = messages.find(copy).orElseThrow();
        assertThat(copy).isNotEqualTo(sent.ref());
        assertThat(duplicate.keptAsDraft()).isTrue();
        assertThat(duplicate.subject()).isEqualTo(sent.subject());
        assertThat(duplicate.list()).isEqualTo(sent.list());
        assertThat(bodies(copy)).isEqualTo(bodies(sent.ref()));
        assertThat(duplicate.completedAt()).isNull();
        assertThat(browser.text()).contains("copy of the message, saved as a draft");
    }

    @Test
    void anActionThatIsNotPossibleIsNotOffered() throws Exception {
        Message sent = made.completed("no_edit", Map.of("a@example.org", Outcome.SENT));
        browser.open("/messages?q=no_edit");
        assertThat(browser.page().select(".menu-items").text())
                .contains("Open", "Duplicate")
                .doesNotContain("Edit", "Delete");
        assertThat(browser.page().select(".menu-items form").attr("action"))
                .isEqualTo("/messages/" + sent.ref() + "/duplicate");
        pending("Editable gnu");
        browser.open("/messages?q=gnu");
        assertThat(browser.page().select(".menu-items").text()).contains("Open", "Edit", "Duplicate", "Delete");
    }

    /** Creates a message without the pages, because a hundred messages would take long. */
    private MessageRef made(String subject, boolean draft) {
        Messages.MessageCreateResult created = messages.create(new Messages.NewMessage(
                new ListName("readers"),
                Draft.of(subject, HTML, "text"),
                new Schedule(time.instant().plus(Duration.ofDays(1)), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "ann@example.org",
                draft));
        return ((Messages.MessageCreateResult.Created) created).message().ref();
    }

    private List<String> subjects(String path) throws Exception {
        return browser.open(path).page().select("table.stack tbody th a").eachText();
    }

    private static String encoded(String words) {
        return java.net.URLEncoder.encode(words, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20");
    }
}
