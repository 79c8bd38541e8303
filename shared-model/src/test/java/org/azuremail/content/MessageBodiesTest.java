package org.azuremail.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Set;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

class MessageBodiesTest {

    private static final Set<String> ATTRIBUTES = Set.of("city");
    private static final String OWN =
            " The fields of this list are {{city}}, {{email}}, {{list}}, {{list-address}}, {{name}}, {{preferences}}, {{unsubscribe}}.";

    private final MessageBodies bodies = new MessageBodies(new ContentProperties(DataSize.ofKilobytes(2)));

    @Test
    void aGoodDraftIsPassedOnAsItIs() {
        assertThat(bodies.check(
                        Draft.of(" News ", "<p>Hi {{name}} of {{city|town}}</p>", "Hi {{name}}"), ATTRIBUTES, null))
                .isEqualTo(new Checked.Valid(
                        "News", "<p>Hi {{name}} of {{city|town}}</p>", "Hi {{name}}", TextPart.WRITTEN, null));
    }

    @Test
    void halfACharacterInTheSubjectIsRefused() {
        assertThat(problems(Draft.of("News \ud83d", "<p>x</p>", "x")).toString())
                .contains("half a character");
        assertThat(valid(Draft.of("News \ud83d\ude00", "<p>x</p>", "x")).subject())
                .isEqualTo("News \ud83d\ude00");
    }

    @Test
    void aMissingTextIsMadeFromTheHtml() {
        assertThat(valid(Draft.of("News", "<h1>Hi {{name}}</h1><p>Come.</p>", null))
                        .text())
                .isEqualTo("Hi {{name}}\n\nCome.\n");
        assertThat(valid(Draft.of("News", "<p>Come.</p>", "  \n")).text()).isEqualTo("Come.\n");
        assertThat(valid(Draft.of("News", "<p></p>", null)).text()).isEqualTo("News\n");
    }

    @Test
    void aByteOrderMarkIsDropped() {
        Checked.Valid valid = valid(new Draft("News", "\uFEFF<p>ä</p>".getBytes(UTF_8), "\uFEFFä".getBytes(UTF_8)));

        assertThat(valid.html()).isEqualTo("<p>ä</p>");
        assertThat(valid.text()).isEqualTo("ä");
    }

    @Test
    void bytesThatAreNotUtf8AreRefusedAtTheirFieldWithThePlace() {
        assertThat(problems(new Draft("News", "<p>fünf</p>".getBytes(ISO_8859_1), "öl".getBytes(ISO_8859_1))))
                .containsExactly(
                        new Told(
                                "html",
                                "The HTML body is not UTF-8: byte 5 cannot be read. Save it as UTF-8 and try again."),
                        new Told(
                                "text",
                                "The text body is not UTF-8: byte 1 cannot be read. Save it as UTF-8 and try again."));
    }

    @Test
    void bytesThatBreakOffInsideACharacterAreNotUtf8() {
        byte[] cut = {'<', 'p', '>', (byte) 0xC3};

        assertThat(problems(new Draft("News", cut, null)))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("byte 4 cannot be read"));
    }

    @Test
    void aBodyOverTheLimitIsRefusedAndOneAtTheLimitIsNot() {
        String atLimit = "<p>" + "x".repeat(2048 - 3);

        assertThat(valid(Draft.of("News", atLimit, "t")).html()).isEqualTo(atLimit);
        assertThat(problems(Draft.of("News", atLimit + "x", "t")))
                .containsExactly(new Told("html", "The HTML body has 2049 bytes; the limit is 2048."));
        assertThat(problems(Draft.of("News", "<p>a</p>", "é".repeat(1025))))
                .containsExactly(new Told("text", "The text body has 2050 bytes; the limit is 2048."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain words", "a < b and c > d", "<foo>bar</foo>", "<!-- comment only -->"})
    void aBodyWithoutAnHtmlElementIsRefused(String html) {
        assertThat(problems(Draft.of("News", html, "t")))
                .extracting(Told::field)
                .containsExactly("html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<p>x", "<HTML>words</HTML>", "<body >words", "words<br>", "<img src=x>"})
    void oneElementIsEnough(String html) {
        assertThat(valid(Draft.of("News", html, "t")).html()).isEqualTo(html);
    }

    @Test
    void anEmptyHtmlBodyIsRefused() {
        assertThat(problems(Draft.of("News", " \n", "t"))).containsExactly(new Told("html", "The HTML body is empty."));
    }

    @Test
    void aZeroByteIsRefused() {
        assertThat(problems(Draft.of("News", "<p>\0</p>", "t")))
                .extracting(Told::field)
                .containsExactly("html");
    }

    @Test
    void a59_anUnknownFieldIsNamedWhereverItStands() {
        assertThat(problems(Draft.of("For {{ nick }}", "<p>{{street|x}}</p>", "{{first name}}")))
                .containsExactly(
                        new Told("subject", "The subject line uses the unknown merge field {{nick}}." + OWN),
                        new Told("html", "The HTML body uses the unknown merge field {{street}}." + OWN),
                        new Told("text", "In the text body, {{first name}} is not a merge field."));
    }

    @Test
    void bracesAroundNoFieldAreRefusedAlsoAcrossLinesAndWhenTheyAreLong() {
        assertThat(problems(Draft.of("News", "<p>Dear {{first\nname}}</p>", "x")))
                .containsExactly(new Told("html", "In the HTML body, {{first name}} is not a merge field."));
        assertThat(problems(Draft.of("News", "<p>{{first name|" + "x".repeat(200) + "}}</p>", "x")))
                .extracting(Told::message)
                .singleElement()
                .asString()
                .startsWith("In the HTML body, {{first name|xxx")
                .endsWith("xxx… is not a merge field.");
        assertThat(problems(Draft.of("News", "<p>x</p>", "{{name|" + "x".repeat(501) + "}}")))
                .extracting(Told::field)
                .containsExactly("text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\r\nBcc: x@y.example", "a\nb", "a\rb", "a\tb", "a\u0000b", "a\u0085b", "a\u2028b", "a\u007fb"})
    void aSubjectWithAControlCharacterIsRefused(String subject) {
        assertThat(problems(Draft.of(subject, "<p>x</p>", "x")))
                .containsExactly(
                        new Told("subject", "The subject line contains a line break or another control character."));
    }

    @Test
    void aSubjectIsNeitherBlankNorLongerThanALine() {
        assertThat(bodies.checkSubject(" ", ATTRIBUTES))
                .extracting(MessageBodies.Problem::message)
                .containsExactly("The subject line is required.");
        assertThat(bodies.checkSubject("x".repeat(998), ATTRIBUTES)).isEmpty();
        assertThat(bodies.checkSubject("x".repeat(999), ATTRIBUTES))
                .extracting(MessageBodies.Problem::message)
                .containsExactly("The subject line is longer than 998 characters.");
    }

    @Test
    void everythingWrongIsToldAtOnce() {
        assertThat(problems(Draft.of("", "", "{{x}}")))
                .extracting(Told::field)
                .containsExactly("subject", "html", "text");
    }

    @Test
    void aLimitThatNoTransportCouldCarryIsRefused() {
        assertThatThrownBy(() -> new ContentProperties(DataSize.ofBytes(10 * 1024 * 1024 + 1)))
                .hasMessageContaining("azuremail.message.max-body");
    }

    private Checked.Valid valid(Draft draft) {
        assertThat(bodies.check(draft, ATTRIBUTES, null)).isInstanceOf(Checked.Valid.class);
        return (Checked.Valid) bodies.check(draft, ATTRIBUTES, null);
    }

    private record Told(String field, String message) {}

    private List<Told> problems(Draft draft) {
        assertThat(bodies.check(draft, ATTRIBUTES, null)).isInstanceOf(Checked.Refused.class);
        return ((Checked.Refused) bodies.check(draft, ATTRIBUTES, null))
                .problems().stream()
                        .map(problem -> new Told(problem.field(), problem.message()))
                        .toList();
    }

    @Test
    void aMergeFieldThatIsNotClosedIsToldWithItsLine() {
        assertThat(problems(
                        Draft.of("Hi {{name", "<p>\n{{city and {{name}}</p>", "{{name}} {{name|you} {{{name}}} {{}}")))
                .extracting(Told::field, Told::message)
                .containsExactly(
                        tuple(
                                "subject",
                                "In the subject line, the merge field at “{{name” is not closed. It ends with }}."),
                        tuple(
                                "html",
                                "In the HTML body, line 2, the merge field at “{{city and {{name}}</p>” is not closed."
                                        + " It ends with }}."),
                        tuple(
                                "text",
                                "In the text body, line 1, the merge field at “{{name|you} {{{name}}} {{}}” is not closed."
                                        + " It ends with }}."),
                        tuple(
                                "text",
                                "In the text body, line 1, the merge field at “{{}}” is not closed. It ends with }}."));
    }
}
