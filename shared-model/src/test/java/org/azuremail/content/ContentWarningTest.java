package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.content.Layout.Frame;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the warnings that an author gets before sending. */
class ContentWarningTest {

    @Test
    void anImageNeedsAnAlternativeText() {
        assertThat(warnings("<img src='{{x}}'>"))
                .containsExactly("The image “{{x}}” has no alternative text (alt) for people who do not see it.");
        assertThat(warnings("<img src='http://x/y' alt=''><img src='HTTPS://x/y.png' alt='A tree'>"))
                .isEmpty();
    }

    @Test
    void anImageInMarkdownNeedsOneToo() {
        String html = MarkdownRenderer.render(
                "![](https://example.org/x.png) ![A tree](https://example.org/y.png)", Frame.Buttons.OURS);

        assertThat(ContentWarning.of(html, true))
                .extracting(Reason::words)
                .containsExactly("The image “https://example.org/x.png” has no alternative text (alt) for people who"
                        + " do not see it.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"images/tree.png", "/tree.png", "//x/tree.png", "file:///C:/tree.png", "data:image/png;base64,AA"
            })
    void imageThatMailProgramsCannotLoadIsNamed(String address) {
        assertThat(warnings("<img alt='A tree' src=\"" + address + "\">"))
                .containsExactly("Most mail programs cannot load the image “" + address + "”. Give it an address that"
                        + " begins with https:// or http://.");
    }

    @Test
    void imageWhoseAddressMarkdownLeavesOutIsNamedByItsAlternativeText() {
        String html = MarkdownRenderer.render("![A tree](data:image/png;base64,AA)", Frame.Buttons.OURS);

        assertThat(ContentWarning.of(html, true))
                .extracting(Reason::words)
                .singleElement()
                .asString()
                .contains("cannot load the image “A tree”");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "htp://bad",
                "www.example.org",
                "/news",
                "https:/example.org",
                "https://",
                "mailto:",
                "javascript:x"
            })
    void anAddressThatNobodyCanOpenIsNamed(String address) {
        assertThat(warnings("<a href=\"" + address + "\">x</a>"))
                .containsExactly("The link “" + address + "” cannot be opened from an email. Begin it with https://,"
                        + " http://, mailto: or tel:.");
    }

    @ParameterizedTest
    @CsvSource({
        "https://bank.example, https://evil.test/login, evil.test",
        "www.bank.example/account, http://bank.example.evil.test, bank.example.evil.test",
        "Bank.Example, https://track.other.test/x, track.other.test"
    })
    void aLinkThatShowsAnotherAddressIsNamed(String text, String address, String host) {
        assertThat(warnings("<a href=\"" + address + "\"><b>" + text + "</b></a>"))
                .containsExactly("The link “" + text + "” leads to " + host
                        + ". Spam filters take a link that shows another address for fraud.");
    }

    @ParameterizedTest
    @CsvSource({
        "example.org, https://www.example.org/",
        "https://Example.org/a, https://news.example.org/b",
        "Read e.g. this, https://example.org",
        "ann@example.org, mailto:ann@example.org",
        "example.org, {{preferences}}"
    })
    void anHonestLinkIsNot(String text, String address) {
        assertThat(warnings("<a href=\"" + address + "\">" + text + "</a>")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "Spring on campus, -",
                "'{{name|my very dear friend who has a name that is far too long for a subject}}, hello', -",
                "'This subject line goes on and on until inboxes no longer show it', more than 60 characters",
                "LAST CHANCE TO WIN, in capitals",
                "Our FAQ on NATO, -",
                "Hurry!!, exclamation marks"
            })
    void aSubjectThatIsLongOrLoudIsNamed(String subject, @Nullable String warning) {
        List<String> said =
                ContentWarning.ofSubject(subject).stream().map(Reason::words).toList();

        assertThat(said).hasSize(warning == null ? 0 : 1);
        assertThat(String.join("", said)).contains(warning == null ? "" : warning);
    }

    @Test
    void aLongAddressIsNotCutInTheMiddleOfACharacter() {
        String kept = "/" + "x".repeat(98);

        assertThat(warnings("<a href=\"" + kept + "😀\">x</a>"))
                .singleElement()
                .asString()
                .contains("“" + kept + "…”");
    }

    @Test
    void aLinkWhoseAddressMarkdownLeavesOutIsNamedByItsText() {
        String html = MarkdownRenderer.render("[Read *on*](htp://bad)", Frame.Buttons.OURS);

        assertThat(warnings(html)).singleElement().asString().contains("“Read on”");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.org",
                "http://example.org/a?b=c",
                "HTTPS://EXAMPLE.ORG",
                "mailto:a@example.org",
                "tel:+49301",
                "{{unsubscribe}}",
                "https://{{host}}/x",
                "#top",
                " https://example.org "
            })
    void anAddressThatOpensIsFine(String address) {
        assertThat(warnings("<a href=\"" + address + "\">x</a><a name=top>y</a>"))
                .isEmpty();
    }

    @Test
    void manyOfAKindAreReportedAFewAtATime() {
        assertThat(warnings("<img src=x><a href=y>z</a>".repeat(1000))).hasSize(15);
    }

    private static List<String> warnings(String html) {
        return ContentWarning.of(html, false).stream().map(Reason::words).toList();
    }
}
