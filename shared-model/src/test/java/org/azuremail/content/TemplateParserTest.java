package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateParserTest {

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

    private static String merged(String text, Map<String, String> values) {
        return Template.parse(text).merge(values, Escaping.NONE);
    }
}
