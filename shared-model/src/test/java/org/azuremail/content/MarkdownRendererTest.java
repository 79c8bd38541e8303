package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.azuremail.content.Layout.Frame;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** Checks Markdown as the content of an email: it contains no foreign code, and merge fields remain as written. */
class MarkdownRendererTest {

    private final MessageBodies bodies = new MessageBodies(new ContentProperties(DataSize.ofKilobytes(64)));

    @Test
    void everyElementCarriesItsStyle() {
        Document page = render("# One\n\ntext\n\n* a\n\n> said\n\n`code` [link](https://example.org)\n\n---\n");

        assertThat(page.select("h1, p, ul, blockquote, code, a, hr")).allMatch(element -> element.hasAttr("style"));
    }

    @Test
    void aBoldLinkAloneIsAButtonAndNoOtherIs() {
        Document page = render("**[Read on](https://example.org)**\n\nSee **[this](https://example.org)** too");

        assertThat(page.select("a.button").eachText()).containsExactly("Read on");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "a <img src=x onerror=alert(1)> b",
                "[x](javascript:alert(1))",
                "![x](javascript:alert(1))",
                "[x](data:text/html,<script>alert(1)</script>)",
                "[x](https://example.org/\" onmouseover=\"alert)",
                "</td></tr></table><form action=/x><input name=y>"
            })
    void nothingOfItRuns(String markdown) {
        Document page = render(markdown);

        assertThat(page.select("script, form, input, [onerror], [onmouseover]")).isEmpty();
        assertThat(page.select("[href^=javascript], [src^=javascript], [href^=data:text]"))
                .isEmpty();
        assertThat(page.select("table")).isEmpty();
    }

    @Test
    void mergeFieldsStayAlsoInLinks() {
        String html = MarkdownRenderer.render(
                "Hi {{first_name}} of {{last_name|you & yours}}: [leave]({{unsubscribe}})", Frame.Buttons.OURS);

        assertThat(Template.parseHtml(html).fieldNames()).containsExactly("first_name", "last_name", "unsubscribe");
        assertThat(Jsoup.parse(html).select("a").attr("href")).isEqualTo("{{unsubscribe}}");
    }

    @Test
    void fallbackOfAFieldInALinkIsAnAddress() {
        Document page = render("[a]({{site|https://example.org}}) [b]({{site}}) [c]({{site|javascript:x}})"
                + " ![d]({{site|https://example.org/d.png}})");

        assertThat(page.select("a").eachAttr("href")).containsExactly("{{site|https://example.org}}", "{{site}}", "");
        assertThat(page.select("img").attr("src")).isEqualTo("{{site|https://example.org/d.png}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\{\\{name}}", "{\\{name}}", "&#123;&lbrace;name}}"})
    void escapedBracesAreNoField(String braces) {
        Checked checked = bodies.check(
                new Draft("News", new byte[0], null, "Write " + braces + ", {{name|you}}.", Layout.LETTER),
                Set.of(),
                null);

        Checked.Valid valid = (Checked.Valid) checked;
        assertThat(Jsoup.parse(Template.parseHtml(valid.html()).merge(Map.of("name", "Ann"), Escaping.HTML))
                        .text())
                .isEqualTo("Write {{name}}, Ann.");
        assertThat(Template.parse(valid.text()).merge(Map.of("name", "Ann"), Escaping.NONE))
                .isEqualTo("Write { {name}}, Ann.\n");
    }

    @Test
    void mistakesAreToldByTheLineOfTheMarkdown() {
        Checked checked = bodies.check(
                new Draft("News", new byte[0], null, "Hello\n\n{{na and {{hobby}}", Layout.LETTER), Set.of(), null);

        assertThat(((Checked.Refused) checked).problems())
                .extracting(Problem::field, Problem::message)
                .contains(org.assertj.core.api.Assertions.tuple(
                        "markdown",
                        "In the Markdown, line 3, the merge field at “{{na and {{hobby}}” is not closed."
                                + " It ends with }}."));
    }

    @Test
    void somethingUnfinishedIsKeptAndWhatCannotBeStoredIsNot() {
        assertThat(bodies.checkUnfinished(Draft.of("", "", null), null)).isInstanceOf(Checked.Valid.class);
        assertThat(bodies.checkUnfinished(Draft.of("{{x", "<p>{{", "{{"), null)).isInstanceOf(Checked.Valid.class);
        assertThat(bodies.checkUnfinished(Draft.of("a\nb", "", null), null)).isInstanceOf(Checked.Refused.class);
        assertThat(bodies.checkUnfinished(
                        new Draft("a", new byte[0], null, "x".repeat(65 * 1024), Layout.LETTER), null))
                .isInstanceOf(Checked.Refused.class);
    }

    @Test
    void deepNestingEndsInTime() {
        assertThat(render(">".repeat(20_000) + " deep")).isNotNull();
        assertThat(render("[".repeat(20_000))).isNotNull();
        assertThat(render("*a ".repeat(10_000))).isNotNull();
    }

    @Test
    void tooLongMarkdownAndTooManyMarksAreFaultsOfTheMarkdown() {
        assertThat(fault("a".repeat(MarkdownRenderer.MAX_BYTES + 1)))
                .isEqualTo("The Markdown has 102401 bytes; the limit is 102400.");
        assertThat(fault("[".repeat(MarkdownRenderer.MAX_MARKS + 1)))
                .isEqualTo("The Markdown has more than 500 of the characters < and [. Remove some links, or write"
                        + " the message in HTML.");
    }

    private static String fault(String markdown) {
        Checked checked = BodiesInTests.bodies()
                .checkUnfinished(new Draft("News", new byte[0], null, markdown, Layout.LETTER), null);
        return ((Checked.Refused) checked)
                .problems().stream()
                        .filter(problem -> problem.field().equals("markdown"))
                        .map(Problem::message)
                        .findFirst()
                        .orElseThrow();
    }

    private static Document render(String markdown) {
        return Jsoup.parse(MarkdownRenderer.render(markdown, Frame.Buttons.OURS));
    }
}
