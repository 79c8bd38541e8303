package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.content.Layout.Frame;
import org.azuremail.reason.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the warnings that an author gets before sending. */
class ContentWarningTest {

    @Test
    void anImageNeedsAnAlternativeText() {
        assertThat(warnings("<img src='/x.png'>"))
                .containsExactly("The image “/x.png” has no alternative text (alt) for people who do not see it.");
        assertThat(warnings("<img src='/x.png' alt=''><img src='/y.png' alt='A tree'>"))
                .isEmpty();
    }

    @Test
    void anImageInMarkdownNeedsOneToo() {
        String html = MarkdownRenderer.render("![](https://example.org/x.png) ![A tree](y.png)", Frame.Buttons.OURS);

        assertThat(ContentWarning.of(html, true))
                .extracting(Reason::words)
                .containsExactly("The image “https://example.org/x.png” has no alternative text (alt) for people who"
                        + " do not see it.");
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
        assertThat(warnings("<img src=x><a href=y>z</a>".repeat(1000))).hasSize(10);
    }

    private static List<String> warnings(String html) {
        return ContentWarning.of(html, false).stream().map(Reason::words).toList();
    }
}
