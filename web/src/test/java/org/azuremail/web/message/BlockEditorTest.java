package org.azuremail.web.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Layout.Source;
import org.azuremail.message.MessageRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes messages in blocks, in a browser without scripts. */
class BlockEditorTest extends OnMessagePages {

    @BeforeEach
    void firstVisit() {
        browser.cookies().remove("azuremail-editor");
    }

    @Test
    void newMessageIsWrittenInBlocksAndStoredAsMarkdown() throws Exception {
        MessageRef ref = newMessage();
        assertThat(browser.text()).contains("This message is empty. Add its first block.");

        click(ref, "add-0-HEADING", Map.of("subject", "In blocks"));
        click(ref, "add-1-TEXT", Map.of("block-0-text", "Spring", "block-0-level", "1"));
        click(ref, "add-2-BUTTON", Map.of("block-1-text", "Dear {{name|friend}},\r\n\r\nhello"));
        browser.submit(
                edit(ref.toString()),
                Map.of("block-2-text", "Read on", "block-2-address", "https://example.org/", "act", "CONTENT"));

        assertThat(markdown(ref))
                .isEqualTo("# Spring\n\nDear {{name|friend}},\n\nhello\n\n**[Read on](https://example.org/)**\n");
        assertThat(kinds()).containsExactly("HEADING", "TEXT", "BUTTON");
        assertThat(browser.page().select("#block-0-level [selected]").attr("value"))
                .isEqualTo("1");
        assertThat(browser.page().select("[name=format][checked]").attr("value"))
                .isEqualTo("blocks");
        assertThat(bodies(ref).html()).contains("Spring</h1>").containsOnlyOnce("class=\"button\"");
    }

    @Test
    void theBlockOfAnImageSaysWhereUploadedImagesAre() throws Exception {
        MessageRef ref = newMessage();

        click(ref, "add-0-IMAGE", Map.of());

        assertThat(browser.page().select("#block-0 .hint").eachText())
                .first()
                .asString()
                .contains("Insert an image");
    }

    @Test
    void buttonsMoveDuplicateAndDeleteAndSaveNothing() throws Exception {
        MessageRef ref = written("# One\n\n> two\n\n---\n");

        click(ref, "down-0", Map.of());
        assertThat(kinds()).containsExactly("QUOTE", "HEADING", "DIVIDER");
        assertThat(browser.page().select("#block-1 [autofocus]").attr("name")).isEqualTo("block-1-text");
        click(ref, "up-2", Map.of());
        assertThat(kinds()).containsExactly("QUOTE", "DIVIDER", "HEADING");
        click(ref, "copy-0", Map.of("block-0-text", "typed"));
        assertThat(browser.page().select(".block textarea").eachText()).containsExactly("typed", "typed");
        click(ref, "delete-1", Map.of());
        assertThat(kinds()).containsExactly("QUOTE", "DIVIDER", "HEADING");
        assertThat(browser.text()).contains("Block deleted: Quote.");
        click(ref, "undo", Map.of());
        assertThat(browser.page().select("#block-1-text").text()).isEqualTo("typed");

        assertThat(markdown(ref)).isEqualTo("# One\n\n> two\n\n---\n");
    }

    @Test
    void columnsAreAddedAndRemovedWithoutLosingText() throws Exception {
        MessageRef ref = written("::: columns\na\n\n::: column\nb\n:::\n");

        click(ref, "more-0", Map.of());
        assertThat(browser.page().select(".block textarea")).hasSize(3);
        click(ref, "more-0", Map.of());
        assertThat(browser.page().select(".block textarea").eachText()).containsExactly("a", "b");
        click(ref, "fewer-0", Map.of());
        assertThat(browser.page().select(".block textarea").eachText()).containsExactly("a", "b");
        click(ref, "fewer-0", Map.of());
        assertThat(browser.page().select(".block textarea")).hasSize(2);

        MessageRef three = written("::: columns\na\n\n::: column\nb\n\n::: column\nc\n:::\n");
        click(three, "fewer-0", Map.of());
        assertThat(browser.page().select(".block textarea").last().wholeText()).isEqualTo("b\n\nc");
    }

    @Test
    void changingBetweenBlocksAndMarkdownKeepsTheTextAndIsRemembered() throws Exception {
        String markdown = "Hello\n\n<!-- -->\n\n* one\n\n::: footer\nus\n:::\n";
        MessageRef ref = written(markdown);
        assertThat(kinds()).containsExactly("TEXT", "TEXT", "FOOTER");

        click(ref, "show", Map.of("format", "markdown"));
        assertThat(browser.page().select("textarea#markdown").first().wholeText())
                .isEqualTo(markdown);
        browser.submit(edit(ref.toString()), Map.of("act", "CONTENT"));
        assertThat(browser.page().select("textarea#markdown")).hasSize(1);
        assertThat(browser.open("/messages/new?list=readers").page().select("textarea#markdown"))
                .hasSize(1);

        edit(ref);
        click(ref, "show", Map.of("format", "blocks"));
        assertThat(kinds()).containsExactly("TEXT", "TEXT", "FOOTER");
        assertThat(markdown(ref).strip()).isEqualTo(markdown.strip());
    }

    @Test
    void aNoticeSaysThatTheBlocksWereNotUsed() throws Exception {
        MessageRef ref = written("Hello\n");

        browser.submit(edit(ref.toString()), Map.of("format", "html", "html", "<p>Instead</p>", "act", "NEXT"));

        assertThat(browser.text()).contains("The message is saved as HTML. The Markdown was not used.");
    }

    @Test
    void anErrorKeepsEachBlockEvenAnEmptyOne() throws Exception {
        MessageRef ref = newMessage();
        click(ref, "add-0-IMAGE", Map.of("subject", "x".repeat(999)));
        click(ref, "add-1-TEXT", Map.of());
        browser.submit(edit(ref.toString()), Map.of("block-1-text", "kept"));

        assertThat(browser.errorAt("subject")).isNotEmpty();
        assertThat(kinds()).containsExactly("IMAGE", "TEXT");
        assertThat(browser.page().select("#block-1-text").text()).isEqualTo("kept");
    }

    @Test
    void previewShowsBlocksAsTheyAreTyped() throws Exception {
        MessageRef ref = newMessage();
        Map<String, String> typed = new HashMap<>(Map.of("list", "readers", "format", "blocks", "blocks", "yes"));
        typed.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        typed.putAll(Map.of("subject", "News", "template", "letter", "block-7-kind", "QUOTE", "block-7-text", "typed"));

        browser.postForged("/messages/preview.html", typed);

        assertThat(browser.page().select("blockquote").text()).isEqualTo("typed");
        assertThat(messages.find(ref)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "up",
                "up-9",
                "add-0-WHAT",
                "add-0",
                "add-99-TEXT",
                "delete-99999999999",
                "undo",
                "more-0",
                "fewer-0",
                "up--1",
                "show-0-TEXT"
            })
    void oddCommandsChangeNothing(String command) throws Exception {
        MessageRef ref = written("> said\n");

        click(ref, command, Map.of());

        assertThat(browser.status()).isEqualTo(200);
        assertThat(kinds()).containsExactly("QUOTE");
    }

    @Test
    void oddFieldsAreTakenAsFarAsTheyGo() throws Exception {
        MessageRef ref = written("> said\n");
        Map<String, String> odd = new HashMap<>();
        odd.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        odd.putAll(
                Map.of("list", "readers", "subject", "Odd", "format", "blocks", "blocks", "yes", "block-act", "show"));
        odd.putAll(Map.of("block-3-kind", "NONE", "block-3-text", "a", "block-3-level", "99", "block-x-kind", "TEXT"));
        odd.putAll(Map.of(
                "block-99999-kind", "TEXT", "block-4-kind", "COLUMNS", "removed-kind", "?", "removed-from", "x"));

        browser.postForged(edit(ref.toString()), odd);

        assertThat(browser.status()).isEqualTo(200);
        assertThat(kinds()).containsExactly("TEXT", "COLUMNS");
    }

    @Test
    void theHundredthBlockIsTheLast() throws Exception {
        MessageRef ref = written("# a\n\n".repeat(100));

        assertThat(kinds()).hasSize(100);
        assertThat(browser.text()).contains("This message has 100 blocks, the most possible.");
        click(ref, "copy-0", Map.of());
        assertThat(kinds()).hasSize(100);
    }

    /** Stores a message with this Markdown and opens its form. */
    private MessageRef written(String markdown) throws Exception {
        MessageRef ref = newMessage();
        Map<String, String> typed = new HashMap<>(Map.of("list", "readers", "subject", "News", "format", "markdown"));
        typed.putAll(Map.of("markdown", markdown, "template", "letter", "act", "CONTENT"));
        typed.put("_csrf", browser.page().select("#composer [name=_csrf]").attr("value"));
        browser.postForged(edit(ref.toString()), typed);
        browser.cookies().remove("azuremail-editor");
        edit(ref);
        return ref;
    }

    @Test
    void linksAreCheckedAsTypedInBlocksWhichStay() throws Exception {
        MessageRef ref = written("[Old](http://127.0.0.1:1/)\n");

        browser.submit(edit(ref.toString()) + "/links", Map.of("block-0-text", "[New](http://127.0.0.1:2/)"));

        assertThat(browser.page().select("#links tbody th").text()).startsWith("New http://127.0.0.1:2/");
        assertThat(browser.page().select("#block-0-text").text()).isEqualTo("[New](http://127.0.0.1:2/)");
    }

    private void click(MessageRef ref, String command, Map<String, String> typed) throws Exception {
        Map<String, String> values = new HashMap<>(typed);
        values.put("block-act", command);
        browser.submit(edit(ref.toString()), values);
    }

    private List<String> kinds() throws Exception {
        return browser.page().select(".block > [name$=-kind]").eachAttr("value");
    }

    private String markdown(MessageRef ref) {
        return messages.source(messages.find(ref).orElseThrow())
                .map(Source::written)
                .orElse("");
    }
}
