package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.content.ContentBlock.Kind;
import org.azuremail.content.Layout.Frame.Buttons;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that Markdown and blocks are two views of the same text. */
class ContentBlocksTest {

    /** Lines from which random texts are put together: each kind, and each way to spoil the next one. */
    private static final String[] LINES = {
        "",
        "",
        "",
        "text",
        "more *text*",
        "# Heading",
        "## C #",
        "#### Small",
        "Setext",
        "===",
        "---",
        "***",
        "> said",
        ">said",
        "> > twice",
        "- item",
        "1. one",
        "  indented",
        "    code",
        "```",
        "~~~ java",
        "<!-- -->",
        "<!--",
        "-->",
        "![alt](https://example.org/a.png)",
        "![a](b \"t\")",
        "![a][r]",
        "**[Go](https://example.org/(x))**",
        "__[Go](<a b>)__",
        "**[Go][r]**",
        "[r]: https://example.org",
        "::: columns",
        "::: column",
        ":::",
        "::: footer",
        "  ::: footer",
        "{{name|you there}}",
        "[x]({{unsubscribe}})",
        "**[{{a|b]}}]({{site|https://example.org}})**",
        "\\",
        "*",
        "**",
        "[",
        "<div>",
        "\t",
        "a  ",
        "&amp; &copy;",
        "![\\]](c)",
        "| a | b |",
        "\u00a0",
        "\\:::",
        "# ",
        ">",
        "-"
    };

    @Test
    void eachKindIsRecognizedAndWrittenAsItWas() {
        String markdown = """
                # News

                Dear {{name|friend}},

                * one
                * two

                ![A tree](https://example.org/tree.png)

                **[Read on](https://example.org/?a=1&b=2)**

                ::: columns
                left

                ::: column
                right
                :::

                ---

                > said

                ::: footer
                our address
                :::
                """;

        List<ContentBlock> blocks = ContentBlocks.of(markdown);

        assertThat(blocks)
                .containsExactly(
                        new ContentBlock(Kind.HEADING, List.of("News"), "", 1),
                        new ContentBlock(Kind.TEXT, List.of("Dear {{name|friend}},\n\n* one\n* two"), "", 2),
                        new ContentBlock(Kind.IMAGE, List.of("A tree"), "https://example.org/tree.png", 2),
                        new ContentBlock(Kind.BUTTON, List.of("Read on"), "https://example.org/?a=1&b=2", 2),
                        new ContentBlock(Kind.COLUMNS, List.of("left", "right"), "", 2),
                        new ContentBlock(Kind.DIVIDER, List.of(""), "", 2),
                        new ContentBlock(Kind.QUOTE, List.of("said"), "", 2),
                        new ContentBlock(Kind.FOOTER, List.of("our address"), "", 2));
        assertThat(ContentBlocks.markdown(blocks)).isEqualTo(markdown);
    }

    @Test
    void anyTextIsRenderedAsBefore() {
        Random random = new Random(20261129);
        for (int i = 0; i < 4_000; i++) {
            String markdown = random.ints(1 + random.nextInt(14), 0, LINES.length)
                    .mapToObj(line -> LINES[line])
                    .collect(Collectors.joining("\n"));

            List<ContentBlock> blocks = ContentBlocks.of(markdown);
            String again = ContentBlocks.markdown(blocks);

            assertThat(html(again.stripTrailing())).as(markdown).isEqualTo(html(markdown.stripTrailing()));
            assertThat(ContentBlocks.markdown(ContentBlocks.of(again)))
                    .as(markdown)
                    .isEqualTo(again);
        }
    }

    /** A definition of a link is left out: it may turn what another block shows into a link. */
    @Test
    void anyBlocksStayWhatTheyAre() {
        Random random = new Random(29112026);
        String[] lines = IntStream.range(0, LINES.length)
                .filter(i -> !LINES[i].isBlank() && !LINES[i].startsWith("[r]:"))
                .mapToObj(i -> LINES[i])
                .toArray(String[]::new);
        Kind[] kinds = {Kind.HEADING, Kind.IMAGE, Kind.BUTTON, Kind.COLUMNS, Kind.DIVIDER, Kind.QUOTE, Kind.FOOTER};
        for (int i = 0; i < 2_000; i++) {
            List<Kind> chosen = random.ints(1 + random.nextInt(5), 0, kinds.length)
                    .mapToObj(kind -> kinds[kind])
                    .toList();
            List<ContentBlock> blocks = chosen.stream()
                    .map(kind -> new ContentBlock(
                            kind,
                            random.ints(kind == Kind.COLUMNS ? 3 : 1, 0, lines.length)
                                    .mapToObj(line -> lines[line])
                                    .toList(),
                            lines[random.nextInt(lines.length)],
                            1 + random.nextInt(3)))
                    .toList();

            String markdown = ContentBlocks.markdown(blocks);

            assertThat(ContentBlocks.of(markdown))
                    .as(markdown)
                    .extracting(ContentBlock::kind)
                    .isEqualTo(chosen);
        }
    }

    @Test
    void twoTextsStayTwo() {
        List<ContentBlock> blocks = List.of(text("* one"), text("* two"), text("three"));

        String markdown = ContentBlocks.markdown(blocks);

        assertThat(ContentBlocks.of(markdown)).isEqualTo(blocks);
        assertThat(html(markdown)).doesNotContain("--");
        assertThat(Jsoup.parse(html(markdown)).select("ul")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text", "* item", "1. one\n\n   more", "> said\nlazy", "# Heading", "---", "    code\n", "[r]: x"
            })
    void containersBeginAfterAnything(String before) {
        assertThat(ContentBlocks.of(before + "\n::: footer\nus\n:::\n"))
                .extracting(ContentBlock::kind)
                .endsWith(Kind.FOOTER);
        assertThat(ContentBlocks.of(before + "\n::: columns\na\n::: column\nb"))
                .extracting(ContentBlock::kind)
                .endsWith(Kind.COLUMNS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"```\ncode", "~~~~\ncode\n~~~", "::: columns\nleft", "::: footer\nus"})
    void aTextWithoutItsEndTakesNothingIn(String unfinished) {
        String markdown = ContentBlocks.markdown(List.of(text(unfinished), ContentBlock.of(Kind.HEADING, "After it")));

        assertThat(Jsoup.parse(html(markdown)).select("body > h2").text()).isEqualTo("After it");
    }

    @Test
    void anAddressOrALabelOfAnyFormStaysOne() {
        ContentBlock image =
                new ContentBlock(Kind.IMAGE, List.of("a ] b [\nc"), "https://example.org/a b(c)<d>\\e&copy;", 2);

        Document page = Jsoup.parse(html(ContentBlocks.markdown(List.of(image))));

        assertThat(page.select("img").attr("alt")).isEqualTo("a ] b [ c");
        assertThat(page.select("img").attr("src")).isEqualTo("https://example.org/a b(c)<d>\\e&copy;");
        assertThat(ContentBlocks.of(ContentBlocks.markdown(List.of(image))))
                .extracting(ContentBlock::address)
                .containsExactly(image.address());
    }

    @Test
    void blocksWithoutContentAreLeftOut() {
        List<ContentBlock> empty = IntStream.range(0, Kind.values().length)
                .mapToObj(kind -> ContentBlock.empty(Kind.values()[kind]))
                .filter(block -> block.kind() != Kind.DIVIDER)
                .toList();

        assertThat(ContentBlocks.markdown(empty)).isEmpty();
        assertThat(ContentBlocks.of(" \n\n")).isEmpty();
    }

    @Test
    void aLongTextHasABoundedNumberOfBlocks() {
        String markdown = "# A\n\nb\n\n".repeat(12_000);

        List<ContentBlock> blocks = ContentBlocks.of(markdown);

        assertThat(blocks).hasSize(ContentBlocks.MAX);
        assertThat(html(ContentBlocks.markdown(blocks))).isEqualTo(html(markdown));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "<a", "word "})
    void textsThatAreTooLargeForAnEmailAreNotParsed(String piece) {
        String huge = piece.repeat(2_000_000);

        List<ContentBlock> blocks = ContentBlocks.of(huge);

        assertThat(blocks).containsExactly(text(huge));
        assertThat(ContentBlocks.markdown(List.of(blocks.get(0), ContentBlock.of(Kind.QUOTE, "b"))))
                .startsWith(huge);
    }

    @Test
    void columnsStandSideBySideForEveryProgram() {
        String html = html("::: columns\na {{name}}\n\n::: column\nb\n\n::: column\nc\n:::\n");
        Document page = Jsoup.parse(html);

        assertThat(page.select(".columns > div").eachText()).containsExactly("a {{name}}", "b", "c");
        assertThat(page.select(".columns > div").eachAttr("style")).allMatch(style -> style.contains("min-width:33%"));
        assertThat(html).doesNotContain("</div>\n<!--[if mso]></td>").containsOnlyOnce("<tr>");
        assertThat(HtmlText.of(html))
                .containsSubsequence("a {{name}}", "b", "c")
                .doesNotContain("mso");
        assertThat(Template.parseHtml(html).fieldNames()).containsExactly("name");
    }

    private static ContentBlock text(String markdown) {
        return new ContentBlock(Kind.TEXT, List.of(markdown), "", 2);
    }

    private static String html(String markdown) {
        return MarkdownRenderer.render(markdown, Buttons.OURS);
    }
}
