package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.TextPart;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.gallery.Mjml;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.web.TestBrowser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Checks that a message written step by step is saved and previewed while its author types, and that nothing is lost.
 */
class ComposerTest extends OnMessagePages {

    @Autowired
    private Gallery gallery;

    @Test
    void unfinishedTextIsSavedAndTheSecondSaveChangesTheSameDraft() throws Exception {
        MessageRef ref = newMessage();

        post(ref, Map.of("subject", "", "html", "<p>Hi {{na"));
        String etag = browser.page().select("#saved").attr("data-etag");
        assertThat(browser.text()).startsWith("Saved at ");
        assertThat(bodies(ref).html()).isEqualTo("<p>Hi {{na");

        post(ref, Map.of("subject", "Greetings", "html", "<p>Hi {{name}}</p>", "etag", etag));
        assertThat(find(ref).subject()).isEqualTo("Greetings");
        assertThat(browser.page().select("#saved").attr("data-etag"))
                .isNotEmpty()
                .isNotEqualTo(etag);
    }

    @Test
    void aFirstSaveWhoseAnswerWasLostMakesNoSecondMessage() throws Exception {
        MessageRef ref = newMessage();
        post(ref, Map.of("subject", "Once", "html", HTML));

        post(ref, Map.of("subject", "Once more", "html", HTML));

        assertThat(browser.text()).startsWith("Saved at ");
        assertThat(find(ref).subject()).isEqualTo("Once more");
    }

    @Test
    void aSaveThatMeetsAnothersChangeSaysSoAndOverwritesNothing() throws Exception {
        MessageRef ref = create(Map.of("subject", "Old", "html", HTML), Map.of());
        edit(ref);
        TestBrowser other = browsers.getObject().signIn().open(edit(ref.toString()));
        other.submit(edit(ref.toString()), Map.of("subject", "Theirs", "html", "<p>Theirs</p>", "act", "DRAFT"));
        String stale = browser.page().select("[name=etag]").attr("value");

        post(ref, Map.of("subject", "Mine", "html", "<p>Mine</p>", "etag", stale));

        assertThat(browser.status()).isEqualTo(409);
        assertThat(browser.text()).contains("Not saved: somebody else changed this message");
        assertThat(find(ref).subject()).isEqualTo("Theirs");

        post(ref, Map.of("subject", "Mine", "html", "<p>Mine</p>", "etag", stale, "act", "CONTENT"));
        assertThat(browser.errorAt("subject")).isEqualTo("Current value: Theirs");
        assertThat(browser.page().select("textarea[readonly]").text()).isEqualTo("<p>Theirs</p>");
        assertThat(browser.page().select("#html").text()).isEqualTo("<p>Mine</p>");
    }

    @Test
    void textOfAMessageThatSomebodyDeletedIsKeptAndSavedAsANewOne() throws Exception {
        MessageRef ref = create(Map.of("subject", "Doomed", "html", HTML), Map.of());
        edit(ref);
        messages.delete(messages.findActive(ref).orElseThrow());

        browser.submit(edit(ref.toString()), Map.of("subject", "Still wanted"));

        assertThat(browser.text()).contains("Somebody deleted this message. Your text is still here");
        String again = browser.page().select("#composer").attr("action");
        browser.submit(again, Map.of("list", "readers"));
        assertThat(find(MessageRef.parse(again.replaceAll("\\D", "")).orElseThrow())
                        .subject())
                .isEqualTo("Still wanted");
    }

    @Test
    void fromEveryStepTheAuthorGoesToAnyOtherAndEachSavesTheOneThatIsLeft() throws Exception {
        MessageRef ref = newMessage();
        String page = "/messages/" + ref;

        browser.submit(edit(ref.toString()), Map.of("subject", "Steps", "act", "REVIEW"));
        assertThat(browser.address()).isEqualTo(page + "/review");
        assertThat(find(ref).subject()).isEqualTo("Steps");
        assertThat(browser.page().select(".compose-steps a").eachAttr("href"))
                .containsExactly(page + "/edit", page + "/edit/recipients");

        recipients(ref).submit(edit(ref.toString()), Map.of("when", "later", "date", "2026-12-24", "act", "CONTENT"));
        assertThat(browser.address()).isEqualTo(page + "/edit");
        assertThat(find(ref).scheduledDate()).hasToString("2026-12-24T09:00:00Z");
        assertThat(find(ref).keptAsDraft()).isTrue();
    }

    @Test
    void markdownIsRenderedInALayoutAndComesBackAsItWasWritten() throws Exception {
        MessageRef ref = newMessage();
        String markdown = "# Hello {{name|friend}}\n\n**[Read](https://example.org)**\n";

        browser.submit(edit(ref.toString()), Map.of("subject", "News", "format", "markdown", "markdown", markdown));

        assertThat(bodies(ref).html()).contains("<table role=\"presentation\"", "Hello {{name|friend}}</h1>");
        assertThat(bodies(ref).text()).contains("Hello {{name|friend}}").doesNotContain("<");
        assertThat(edit(ref).page().select("#markdown").first().wholeText()).contains(markdown.strip());
        assertThat(browser.page().select("[name=format][checked]").attr("value"))
                .isEqualTo("markdown");

        browser.submit(edit(ref.toString()), Map.of("format", "html", "html", "<p>Now HTML</p>"));
        assertThat(edit(ref).page().select("[name=format][checked]").attr("value"))
                .isEqualTo("html");
        assertThat(messages.source(find(ref))).isEmpty();
    }

    @Test
    void theChosenTemplateIsCalledAsInTheGallery() throws Exception {
        MessageRef ref = newMessage();

        browser.submit(
                edit(ref.toString()),
                Map.of("subject", "A", "format", "markdown", "markdown", "Hello", "template", "newsletter"));

        assertThat(edit(ref).page().select("summary:contains(Template)").text()).isEqualTo("Template: Newsletter");
    }

    @Test
    void aStepThatSaysNothingOfTheContentLeavesTheMarkdown() throws Exception {
        MessageRef ref = newMessage();
        browser.submit(edit(ref.toString()), Map.of("subject", "News", "markdown", "Hello"));

        browser.submit(edit(ref.toString()), Map.of("when", "later", "date", "2026-12-24"));
        browser.submit("/messages/" + ref + "/schedule", Map.of());

        assertThat(messages.source(find(ref)).map(Source::written)).contains("Hello");
        assertThat(find(ref).state().draft()).isFalse();
    }

    @Test
    void theEditorOffersTheFieldsThatTheListHasAndTheErrorNamesThem() throws Exception {
        MailingList readers = lists.findActive(new ListName("readers")).orElseThrow();

        assertThat(browser.open("/messages/new?list=" + readers.name())
                        .page()
                        .select("[data-insert]")
                        .eachText())
                .contains("{{name}}", "{{email}}", "{{list}}", "{{unsubscribe}}")
                .doesNotContain("{{city}}");
    }

    @Test
    void aTextWrittenByHandThatIsOlderThanTheHtmlIsCalledSo() throws Exception {
        MessageRef ref = create(Map.of("subject", "Two parts", "html", HTML, "text", "By hand"), Map.of());
        assertThat(edit(ref).text()).contains("written by hand").doesNotContain("The HTML has changed since");

        browser.submit(edit(ref.toString()), Map.of("html", "<p>Other</p>"));

        assertThat(edit(ref).text()).contains("The HTML has changed since somebody wrote this text");
        assertThat(find(ref).content().textPart()).isEqualTo(TextPart.OUTDATED);

        browser.submit(edit(ref.toString()), Map.of("text", "By hand, again"));
        assertThat(edit(ref).text()).doesNotContain("The HTML has changed since");
    }

    @Test
    void thePreviewShowsTypedTextAndStoresNothing() throws Exception {
        MessageRef ref = create(Map.of("subject", "Stored", "html", HTML), Map.of());
        edit(ref);

        browser.postForged(
                "/messages/preview", typed(Map.of("subject", "For {{name|you}}", "html", "<p>{{hobby}}</p>")));
        assertThat(browser.text()).contains("For Alex Sample", "One thing to correct", "unknown merge field {{hobby}}");

        edit(ref);
        browser.postForged(
                "/messages/preview.html",
                typed(Map.of("html", "<p>Typed {{name|you}}</p><script>alert(1)</script>", "bare", "true")));
        assertThat(browser.body()).contains("Typed you");
        assertThat(browser.header("Content-Security-Policy"))
                .startsWith("sandbox")
                .doesNotContain("script-src");

        assertThat(find(ref).subject()).isEqualTo("Stored");
        assertThat(bodies(ref).html()).isEqualTo(HTML);
    }

    @Test
    void thePreviewShowsTheLongestNames() throws Exception {
        MessageRef ref = create(Map.of("subject", "For {{name|you}}", "html", "<p>Dear {{name}},</p>"), Map.of());

        browser.open("/messages/" + ref + "/review?reader=ann&longest=true");

        String name = browser.page().select("#preview-words strong").text().substring("For ".length());
        assertThat(name).hasSizeGreaterThan(50);
        assertThat(browser.page().select("#preview-words").text())
                .contains("a person with very long values", "Dear " + name)
                .doesNotContain("No subscriber");
        assertThat(browser.page().select("iframe.light").attr("src")).endsWith("/preview.html?reader=ann&longest=true");
    }

    @Test
    void theDarkPreviewAppliesWhatTheMessageSaysOfDark() throws Exception {
        String html = "<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style><p>Night</p>";
        MessageRef ref = create(Map.of("subject", "Dark", "html", html), Map.of());

        assertThat(browser.open("/messages/" + ref + "/preview.html?dark=true").body())
                .contains("@media (min-width:0)", "only dark");
        assertThat(browser.open("/messages/" + ref + "/preview.html").body()).contains("@media (max-width:0)");
    }

    @Test
    void previewOfASubscriberWhomTheListDoesNotHaveSaysSo() throws Exception {
        MessageRef ref = create(Map.of("subject", "For {{name}}", "html", HTML), Map.of());

        assertThat(browser.open("/messages/" + ref + "/review?reader=nobody@example.org")
                        .text())
                .contains(
                        "No subscriber of this list has an address that begins with nobody@example.org",
                        "For Alex Sample");
    }

    @Test
    void testEmailsGoToSeveralAddressesAndMistakesAreNamed() throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());
        String review = "/messages/" + ref + "/review";

        browser.open(review).submit("/messages/" + ref + "/test", Map.of("email", "ann@example.org, no address"));
        assertThat(browser.errorAt("email")).contains("no is not an email address");
        assertThat(browser.page().select("#email").attr("value")).isEqualTo("ann@example.org, no address");

        browser.submit("/messages/" + ref + "/test", Map.of("email", "ann@example.org, bob@example.org"));
        assertThat(browser.page().select("#tests tbody th").eachText())
                .containsExactlyInAnyOrder("ann@example.org", "bob@example.org");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Ann Lee <ann@example.org>, Bob <bob@example.org>",
                "Lee, Ann <ann@example.org>; \"Roe, Bob <Sales>\" <bob@example.org>",
                "ann@example.org\nBob <bob@example.org>;",
                "<ann@example.org> bob@example.org <bob@example.org>",
                "Ann <mailto:ann@example.org>\r\n\"bob@example.org\" < bob@example.org >"
            })
    void aTestEmailGoesToAddressesAsMailProgramsCopyThem(String typed) throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());

        browser.open("/messages/" + ref + "/review").submit("/messages/" + ref + "/test", Map.of("email", typed));

        assertThat(browser.page().select("#tests tbody th").eachText())
                .containsExactlyInAnyOrder("ann@example.org", "bob@example.org");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no, Ann Lee", "Ann <ann>", "ann@, Ann Lee", "\"Ann <ann@example.org>", "Ann <>"})
    void aTestEmailGoesToNobodyWhileATypedWordIsNoAddress(String typed) throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());

        browser.open("/messages/" + ref + "/review").submit("/messages/" + ref + "/test", Map.of("email", typed));

        assertThat(browser.errorAt("email")).contains("address");
        assertThat(browser.page().select("#tests tbody th")).isEmpty();
    }

    @Test
    void aLongTextInsteadOfAddressesIsRefusedAtOnce() throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());

        browser.open("/messages/" + ref + "/review")
                .submit("/messages/" + ref + "/test", Map.of("email", "a ".repeat(100_000)));

        assertThat(browser.errorAt("email")).isEqualTo("Enter at least one address and at most 10.");
    }

    @Test
    void aDoubleClickSendsATestEmailOnce() throws Exception {
        MessageRef ref = create(Map.of("subject", "Try", "html", HTML), Map.of());

        browser.open("/messages/" + ref + "/review")
                .submitTwice("/messages/" + ref + "/test", Map.of("email", "ann@example.org"), Map.of());

        assertThat(browser.page().select("#tests tbody th").eachText()).containsExactly("ann@example.org");
    }

    @Test
    void messageWhoseTemplateWasDeletedIsRefusedUntilItsAuthorChoosesAnother() throws Exception {
        Mjml letter = Gallery.shipped().get(0).mjml();
        Versioned<MessageTemplate> own = ((Saved.Done<MessageTemplate>)
                        gallery.save(new MessageTemplate("our-own", null, letter, false), null))
                .now();
        MessageRef markdown = newMessage();
        browser.submit(edit(markdown.toString()), Map.of("subject", "A", "markdown", "Hello", "template", "our-own"));
        MessageRef html = newMessage();
        browser.submit(
                edit(html.toString()),
                Map.of("subject", "B", "format", "html", "html", "<p>Hello</p>", "htmlTemplate", "our-own"));
        String framed = bodies(html).html();
        gallery.delete(own);

        edit(markdown).submit(edit(markdown.toString()), Map.of("subject", "A2"));
        assertThat(browser.errorAt("template")).isEqualTo("There is no template “our-own”. Choose another one.");
        browser.submit(edit(markdown.toString()), Map.of("template", "event"));
        assertThat(messages.source(find(markdown)).orElseThrow().layout().template())
                .isEqualTo("event");

        edit(html).submit(edit(html.toString()), Map.of("subject", "B2"));
        assertThat(browser.errorAt("htmlTemplate")).isEqualTo("There is no template “our-own”. Choose another one.");
        assertThat(bodies(html).html()).isEqualTo(framed);
        browser.submit(edit(html.toString()), Map.of("htmlTemplate", "letter"));
        assertThat(bodies(html).html()).contains("<table").contains("<p>Hello</p>");
    }

    private void post(MessageRef ref, Map<String, String> fields) throws Exception {
        Map<String, String> all = typed(fields);
        all.putIfAbsent("act", "SAVE");
        browser.postForged(edit(ref.toString()), all);
    }

    private Map<String, String> typed(Map<String, String> fields) throws Exception {
        if (browser.page().select("#composer [name=_csrf]").isEmpty()) {
            browser.open("/messages/new?list=readers");
        }
        Map<String, String> all = new HashMap<>(fields);
        all.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        all.put("list", "readers");
        all.putIfAbsent("subject", "Typed");
        all.put("format", "html");
        return all;
    }

    private Message find(MessageRef ref) {
        return messages.find(ref).orElseThrow();
    }
}
