package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages.Change;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Outcome;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.web.EndedMessage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Checks the words by which the message pages inform admins before, during and after sending. */
class MessageWordsTest extends OnMessagePages {

    @Autowired
    EndedMessage ended;

    @Autowired
    Subscriptions subscriptions;

    @Autowired
    AudiencePeople people;

    @Test
    void theHelpShowsMergeFieldsAsTheyAreTyped() throws Exception {
        newMessage();

        assertThat(browser.text())
                .contains("{{name|friend}} says “friend” to people without a name", "{{unsubscribe}} is the address")
                .doesNotContain("'{{'");
    }

    @Test
    void imagesWithoutAnAlternativeTextAndOddLinksAreWarnedAboutAndKeepNobodyFromSending() throws Exception {
        String html = "<p><img src=\"/x.png\"><a href=\"htp://bad\">x</a></p>";
        MessageRef ref = create(Map.of("subject", "Odd", "html", html), Map.of());

        assertThat(browser.page().select("#warnings").text())
                .contains("3 things to check", "The image “/x.png”", "The link “htp://bad”");
        assertThat(browser.page().select("form[action$=/send]")).hasSize(1);
        assertThat(edit(ref).page().select("#preview-words").text()).contains("3 things to check");
    }

    @Test
    void checksAreShownBesideTheEditorWhileTheAuthorTypes() throws Exception {
        newMessage();
        Map<String, String> typed = new HashMap<>(Map.of("list", "readers", "format", "html"));
        typed.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        typed.put("subject", "WIN A PRIZE TODAY");
        typed.put("html", "<p>" + "x".repeat(102 * 1024) + "</p><p><a href='https://a.test'>b.test</a></p>");

        browser.postForged("/messages/preview", typed);

        assertThat(browser.text())
                .contains("3 things to check", "Gmail cuts", "The link “b.test” leads to a.test", "in capitals");

        typed.putAll(Map.of("format", "markdown", "markdown", "Hello", "template", "letter", "html", ""));
        typed.put("subject", "News");
        browser.postForged("/messages/preview", typed);
        assertThat(browser.text()).contains("One thing to check", "There is no preview text");

        typed.put("preview", "Three stories");
        browser.postForged("/messages/preview", typed);
        assertThat(browser.text()).doesNotContain("to check");
    }

    @Test
    void theReviewCountsThePeopleWithoutAValueForAFieldThatHasNoFallback() throws Exception {
        ListName list = new ListName("partly_named");
        lists.create(MailingList.of(
                list, "News", new Mailbox(new EmailAddress("a@example.org"), ""), OptIn.DOUBLE, time.instant()));
        Map.of("p@example.org", "", "q@example.org", "", "r@example.org", "Ann")
                .forEach((email, name) -> subscriptions.adminAdd(
                        list, new EmailAddress(email), new Profile(name, Map.of()), true, Origin.admin("test")));
        Map<String, String> fields = Map.of("list", "partly_named", "subject", "Hello");

        create(with(fields, "html", "<p>Dear {{name}},</p>"), Map.of());
        assertThat(browser.page().select("#warnings").text())
                .contains("2 people have no value for {{name}} and see nothing", "as in {{name|…}}");

        assertThat(people.withoutValues(Audience.parse("partly_named readers").orElseThrow(), Set.of("name")))
                .as("people who may be on several lists are not counted")
                .isEqualTo(Map.of("name", OptionalLong.empty()));

        create(with(fields, "html", "<p>Dear {{name|friend}},</p>"), Map.of());
        assertThat(browser.page().select("#warnings")).isEmpty();
    }

    private static Map<String, String> with(Map<String, String> fields, String name, String value) {
        Map<String, String> more = new HashMap<>(fields);
        more.put(name, value);
        return more;
    }

    @Test
    void theReviewWarnsOfHtmlThatGmailCutsOff() throws Exception {
        String html = "<p>" + "x".repeat(102 * 1024) + "</p>";

        create(Map.of("subject", "Long", "html", html), Map.of());

        assertThat(browser.page().select("#warnings").text())
                .contains("One thing to check", "The HTML has more than 102 KB. Gmail cuts");
    }

    @Test
    void anAuthorIsToldWhichTextIsLeftOut() throws Exception {
        newMessage();
        Map<String, String> typed = new HashMap<>(Map.of("list", "readers", "subject", "Both", "markdown", "Hello"));
        typed.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        typed.put("htmlShown", browser.page().select("[name=htmlShown]").attr("value"));
        typed.put("format", "markdown");
        browser.postForged("/messages/preview", typed);
        assertThat(browser.text()).doesNotContain("not used");

        typed.put("html", "<p>Edited</p>");
        browser.postForged("/messages/preview", typed);
        assertThat(browser.text()).contains("The HTML is not used");

        typed.put("format", "html");
        browser.postForged("/messages/preview", typed);
        assertThat(browser.text()).contains("The Markdown is not used");
    }

    @Test
    void anAuthorIsToldThatBlocksReplaceTheHtmlOfAMessage() throws Exception {
        MessageRef ref = create(Map.of("subject", "Both", "html", HTML), Map.of());
        Map<String, String> typed = new HashMap<>(Map.of("list", "readers", "subject", "Both", "markdown", "Hello"));
        edit(ref);
        typed.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        typed.put("htmlShown", browser.page().select("[name=htmlShown]").attr("value"));
        typed.put("html", HTML);
        typed.put("format", "blocks");

        browser.postForged("/messages/preview", typed);

        assertThat(browser.text()).contains("The HTML is not used");
    }

    @Test
    void anEmptyDraftStaysMarkdownHoweverOftenItIsSaved() throws Exception {
        MessageRef ref = newMessage();
        browser.submit(edit(ref.toString()), Map.of("subject", "", "act", "CONTENT"));

        browser.submit(edit(ref.toString()), Map.of("act", "CONTENT"));

        assertThat(browser.page().select("[name=format][checked]").attr("value"))
                .isEqualTo("markdown");
        assertThat(browser.page().select("#preview-words").text())
                .contains("2 things to correct", "The subject line is required.", "The HTML body is empty.");
    }

    @Test
    void theListOfADraftIsChangedWhereItIsWritten() throws Exception {
        lists.create(MailingList.of(
                new ListName("townsfolk"),
                "Townsfolk",
                new Mailbox(new EmailAddress("a@example.org"), ""),
                OptIn.DOUBLE,
                time.instant()));
        MessageRef ref = create(Map.of("subject", "Moves", "html", HTML), Map.of());

        edit(ref).submit(edit(ref.toString()), Map.of("list", "townsfolk"));
        assertThat(messages.find(ref).orElseThrow().list()).isEqualTo(new ListName("townsfolk"));

        Message stored = messages.find(ref).orElseThrow();
        Audience both = Audience.parse("townsfolk readers").orElseThrow();
        messages.edit(
                ref,
                messages.findActive(ref).orElseThrow().etag(),
                new Change(
                        both,
                        "Moves",
                        null,
                        null,
                        null,
                        null,
                        stored.schedule(),
                        stored.onUnknown(),
                        null,
                        Hold.DRAFT));
        edit(ref).submit(edit(ref.toString()), Map.of("subject", "Stays"));
        assertThat(messages.find(ref).orElseThrow().audience()).isEqualTo(both);
        assertThat(browser.open("/messages/" + ref + "/review").text())
                .contains("Townsfolk (townsfolk), Readers (readers)");
    }

    @Test
    void theReviewNamesTheClassAndThePreviewTextAndOffersTheAdminsAddress() throws Exception {
        MessageRef ref = newMessage();
        browser.submit(
                edit(ref.toString()),
                Map.of("subject", "All of it", "format", "markdown", "markdown", "Hello", "preview", "After it"));

        assertThat(browser.open("/messages/" + ref + "/review")
                        .page()
                        .select("dl.facts")
                        .text())
                .contains("Readers (readers)", "Normal (from the list’s plan)", "After it");
        assertThat(browser.page().select("#email").attr("value")).isEqualTo("ann@example.org");
    }

    @Test
    void theTestEmailGoesToTheAdminUnlessAnotherAddressIsTyped() throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());

        browser.submit("/messages/" + ref + "/test", Map.of());

        assertThat(browser.page().select("#tests tbody th").text()).isEqualTo("ann@example.org");
    }

    @Test
    void nobodyIsAskedWhetherToCancelAnEndedMessage() throws Exception {
        Message over = ended.completed("over", Map.of("a@example.org", Outcome.SENT));

        browser.open("/messages/" + over.ref() + "/cancel");

        assertThat(browser.address()).isEqualTo("/messages/" + over.ref());
        assertThat(browser.text()).contains("This message is already over, so it cannot be cancelled.");
    }

    @Test
    void recipientsAreLinkedAndSortedAndSearchedFromTheMessagesPage() throws Exception {
        Message message = ended.completed(
                "linked",
                Map.of("b@example.org", Outcome.SENT, "a@example.org", Outcome.SENT, "c@example.org", Outcome.SENT));

        assertThat(browser.open("/messages/" + message.ref()).page().select("form[action$=/recipients] #email"))
                .hasSize(1);
        assertThat(browser.open("/messages/" + message.ref() + "/recipients")
                        .page()
                        .select("tbody th a")
                        .eachAttr("href"))
                .containsExactly(
                        "/subscribers/details?list=linked&email=a@example.org",
                        "/subscribers/details?list=linked&email=b@example.org",
                        "/subscribers/details?list=linked&email=c@example.org");
    }

    @Test
    void theOnlyUnknownRecipientIsNamedAndTheButtonSaysToHowMany() throws Exception {
        Message message =
                ended.completed("words", Map.of("a@example.org", Outcome.UNKNOWN, "b@example.org", Outcome.FAILED));

        assertThat(browser.open("/messages/" + message.ref()).text())
                .contains("no clear answer for 1 recipient. It may or may not have accepted the email.");
        assertThat(browser.open("/messages/" + message.ref() + "/unknown").text())
                .contains("Did a@example.org get it?", "Mark as sent");
        assertThat(browser.open("/messages/" + message.ref() + "/again")
                        .page()
                        .select("form button span")
                        .eachText())
                .contains("Send again to 1 person", "Send again to 2 people");
    }
}
