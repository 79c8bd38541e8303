package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateParserTest {

    private static final Map<String, String> VALUES = Map.of(
            "email",
            "a+b&c@example.org",
            "city",
            "Süd # 1%?",
            "path",
            "2024/x.png",
            "home",
            "https://h.example/?a=1&b=2",
            "site",
            "www.example.org/about?x=1&y");

    @Test
    void a59_fieldsTakeTheRecipientsValues() {
        assertThat(merged("Dear {{name}}, you are {{email}}.", Map.of("name", "Ann", "email", "a@b.example")))
                .isEqualTo("Dear Ann, you are a@b.example.");
    }

    @Test
    void a59_aMissingOrBlankValueGivesWayToTheFallback() {
        assertThat(merged("Dear {{name|friend}}", Map.of())).isEqualTo("Dear friend");
        assertThat(merged("Dear {{name|friend}}", Map.of("name", "  "))).isEqualTo("Dear friend");
        assertThat(merged("Dear {{name}}!", Map.of())).isEqualTo("Dear !");
    }

    @Test
    void spacesAndCapitalsInsideTheBracesDoNotMatter() {
        assertThat(merged("{{ Name | dear friend }}{{\n name }}", Map.of("name", "Ann")))
                .isEqualTo("AnnAnn");
        assertThat(merged("{{ Name | dear friend }}", Map.of())).isEqualTo("dear friend");
        assertThat(merged("{{name\\|friend}}", Map.of())).isEqualTo("friend");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{{", "}}", "{{}}", "{{ }}", "{name}", "{{name", "{{name}", "{{a b}}", "{{|x}}", "{{na{me}}"})
    void bracesAroundNoFieldStayAsTheyAre(String text) {
        Template template = Template.parse(text);

        assertThat(template.fieldNames()).isEmpty();
        assertThat(template.merge(Map.of("name", "Ann"), Escaping.NONE)).isEqualTo(text);
    }

    @Test
    void aValueIsNeverReadAsATemplate() {
        assertThat(merged("{{name}} {{email}}", Map.of("name", "{{email}}", "email", "a@b.example")))
                .isEqualTo("{{email}} a@b.example");
    }

    @Test
    void a59_valuesAreEscapedInHtml() {
        String html = Template.parseHtml("<p title=\"{{name}}\">{{name}}</p>")
                .merge(Map.of("name", "<b>\"O'Neil\" & sons</b>"), Escaping.HTML);

        assertThat(html)
                .isEqualTo("<p title=\"&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;\">"
                        + "&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;</p>");
    }

    @Test
    void aFallbackInHtmlIsHtmlAlready() {
        Template template = Template.parseHtml("{{name|you &amp; yours}}");

        assertThat(template.merge(Map.of(), Escaping.HTML)).isEqualTo("you &amp; yours");
    }

    @Test
    void tagsInAFallbackAreLeftOutOfTheText() {
        Template template = Template.parseHtml("{{name|<em>dear</em> friend &lt;3 <br/>}}");

        assertThat(template.merge(Map.of(), Escaping.HTML)).isEqualTo("dear friend &lt;3 ");
    }

    @Test
    void aValueOnOneLineLosesItsLineBreaks() {
        assertThat(Template.parse("{{name}}").merge(Map.of("name", "Ann\r\nBcc: x@y.example"), Escaping.ONE_LINE))
                .isEqualTo("Ann  Bcc: x@y.example");
    }

    @Test
    void theNamesOfTheFieldsAreKnown() {
        assertThat(Template.parse("{{b}} {{a|x}} {{B}}").fieldNames()).containsExactly("b", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "<a href=\"https://example.org/?email={{email}}\">x</a>"
                        + " => <a href=\"https://example.org/?email=a%2Bb%26c%40example.org\">x</a>",
                "<a href='https://example.org?email={{ Email }}&amp;s={{city}}'>"
                        + " => <a href='https://example.org?email=a%2Bb%26c%40example.org&amp;s=S%C3%BCd%20%23%201%25%3F'>",
                "<img src=https://example.org/{{path}}/{{city}}.png>"
                        + " => <img src=https://example.org/2024/x.png/S%C3%BCd%20%23%201%25%3F.png>",
                "<a title=\"{{email}}\" HREF = \"/o/{{email}}\">{{email}}</a>"
                        + " => <a title=\"a+b&amp;c@example.org\" HREF = \"/o/a%2Bb%26c%40example.org\">a+b&amp;c@example.org</a>",
                "<a href=\"{{home}}\"> => <a href=\"https://h.example/?a=1&amp;b=2\">",
                "<a href=\"{{home}}&amp;c={{email}}\">"
                        + " => <a href=\"https://h.example/?a=1&amp;b=2&amp;c=a+b&amp;c@example.org\">",
                "<a href=\"{{home}}?e={{email}}#{{path}}\">"
                        + " => <a href=\"https://h.example/?a=1&amp;b=2?e=a%2Bb%26c%40example.org#2024/x.png\">",
                "<a href=\"https://{{site}}\"> => <a href=\"https://www.example.org/about?x=1&amp;y\">",
                "<a href=\"mailto:{{email}}?subject={{city}}\">"
                        + " => <a href=\"mailto:a+b&amp;c@example.org?subject=S%C3%BCd%20%23%201%25%3F\">",
                "<td style=\"background:url('https://example.org/?c={{city}}')\">{{city}}"
                        + " => <td style=\"background:url('https://example.org/?c=S%C3%BCd%20%23%201%25%3F')\">Süd # 1%?",
                "<!--[if mso]><v:rect href=\"https://example.org/?c={{city}}\"><![endif]-->"
                        + " => <!--[if mso]><v:rect href=\"https://example.org/?c=S%C3%BCd%20%23%201%25%3F\"><![endif]-->",
                "<td style=\"background:url(&#39;{{home}}&#39;)\">"
                        + " => <td style=\"background:url(&#39;https://h.example/?a=1&amp;b=2&#39;)\">",
                "<a href=\"&#x6d;ailto:{{email}}?subject={{city}}\">"
                        + " => <a href=\"&#x6d;ailto:a+b&amp;c@example.org?subject=S%C3%BCd%20%23%201%25%3F\">",
                "<a href=\"https://example.org/?n={{none|A & B}}\"> => <a href=\"https://example.org/?n=A%20%26%20B\">"
            })
    void aValueInAUrlOfHtmlIsPercentEncoded(String html, String merged) {
        assertThat(Template.parseHtml(html).merge(VALUES, Escaping.HTML)).isEqualTo(merged);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "See https://example.org/?email={{email}}, {{email}}"
                        + " => See https://example.org/?email=a%2Bb%26c%40example.org, a+b&c@example.org",
                "shop (www.example.org/{{city}}) {{city}} => shop (www.example.org/S%C3%BCd%20%23%201%25%3F) Süd # 1%?",
                "{{home}} and <{{home}}?e={{email}}>"
                        + " => https://h.example/?a=1&b=2 and <https://h.example/?a=1&b=2?e=a%2Bb%26c%40example.org>",
                "https://{{site}} => https://www.example.org/about?x=1&y",
                "{{city}}/{{path}} => Süd # 1%?/2024/x.png",
                "https://example.org/\u00a0{{city}} => https://example.org/\u00a0Süd # 1%?",
                "“https://example.org/”{{city}} => “https://example.org/”Süd # 1%?",
                "请访问https://example.org/?c={{city}}。{{city}}"
                        + " => 请访问https://example.org/?c=S%C3%BCd%20%23%201%25%3F。Süd # 1%?",
                "{{home}}?e={{email}}，{{city}} => https://h.example/?a=1&b=2?e=a%2Bb%26c%40example.org，Süd # 1%?",
                "{{city}}? {{email}}=me => Süd # 1%?? a+b&c@example.org=me"
            })
    void aValueInAUrlOfTextIsPercentEncoded(String text, String merged) {
        assertThat(Template.parse(text).merge(VALUES, Escaping.NONE)).isEqualTo(merged);
    }

    private static String merged(String text, Map<String, String> values) {
        return Template.parse(text).merge(values, Escaping.NONE);
    }
}
