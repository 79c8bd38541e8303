package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTextTest {

    @Test
    void blocksBecomeParagraphsAndBreaksBecomeLines() {
        assertThat(HtmlText.of("<h1>Title</h1>\n<p>One\n   two<br>three</p><div>Four</div><div>Five</div>"))
                .isEqualTo("Title\n\nOne two\nthree\n\nFour\nFive\n");
    }

    @Test
    void linksShowTheirAddressOnce() {
        assertThat(HtmlText.of("<p>See <a href=\"https://a.example/x?y=1&amp;z=2\">here</a>, "
                        + "<a href=\"https://b.example\">https://b.example</a>, "
                        + "<a href=\"mailto:c@d.example\">c@d.example</a>, <a href=\"#top\">top</a>, "
                        + "<a href=\"{{unsubscribe}}\">leave</a></p>"))
                .isEqualTo("See here (https://a.example/x?y=1&z=2), https://b.example, c@d.example, top, "
                        + "leave ({{unsubscribe}})\n");
    }

    @Test
    void listsKeepTheirMarks() {
        assertThat(HtmlText.of("<p>Now:</p><ul><li>a</li><li>b</li></ul><ol><li>x</li><li><b>y</b> z</li></ol>"))
                .isEqualTo("Now:\n\n- a\n- b\n\n1. x\n2. y z\n");
    }

    @Test
    void cellsStandSideBySide() {
        assertThat(HtmlText.of("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"))
                .isEqualTo("a b\nc d\n");
    }

    @Test
    void hiddenElementsAreNotInTheText() {
        assertThat(HtmlText.of("<html><head><title>T</title><style>p{}</style></head><body><!-- c -->"
                        + "<script>alert(1)</script><p>x</p><img src=\"i\" alt=\"a picture\"></body></html>"))
                .isEqualTo("x\n\na picture\n");
    }

    @Test
    void fieldsAndEntitiesSurvive() {
        assertThat(HtmlText.of("<p>Dear {{name|friend &amp; co}} &lt;3&nbsp;x</p>"))
                .isEqualTo("Dear {{name|friend & co}} <3 x\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "display:none;display:block|true",
                "display:block;display:none|false",
                "display:none!important;display:block|false",
                "display:none;display:block ! important;display:none|true",
                "opacity:0;opacity:1|true",
                "font-size:0;font-size:14px|true",
                "visibility:hidden;visibility:visible|true",
                "visibility:inherit|true",
                "visibility:unset|true",
                "visibility:initial|true",
                "visibility:collapse|false"
            })
    void lastDeclarationOfAPropertyDecidesWhetherAnElementIsShown(String style, boolean shown) {
        assertThat(HtmlText.of("<p>a</p><p style=\"" + style + "\">b</p>")).isEqualTo(shown ? "a\n\nb\n" : "a\n");
    }

    @Test
    void inheritedVisibilityIsThatOfTheElementAround() {
        assertThat(HtmlText.of("<div style=\"visibility:hidden\">a<b style=\"visibility:inherit\">b</b></div>c"))
                .isEqualTo("c\n");
    }

    @ParameterizedTest
    @CsvSource({
        "&#123;&#123;name}}, { {name}}",
        "{&#x007B;name}}, { {name}}",
        "&lcub;{name}}, { {name}}",
        "{&#123name}}, { {name}}",
        "a &#123; b &#1234;, a { b \u04d2",
        "{&#123;{{name}}}}, { { {{name}}}}"
    })
    void bracesWrittenAsReferencesDoNotBecomeAField(String html, String text) {
        assertThat(HtmlText.of("<p>" + html + "</p>")).isEqualTo(text + "\n");
    }

    @Test
    void preformattedTextKeepsItsShape() {
        assertThat(HtmlText.of("<p>a</p><pre>  x\n    y</pre><p>b</p>")).isEqualTo("a\n\n  x\n    y\n\nb\n");
    }

    @Test
    void alternativeTextOfALinkedPictureIsParted() {
        assertThat(HtmlText.of(
                        "<p><a href=\"https://a.example/\"><img src=\"i.png\" alt=\"Our shop\"></a> and more</p>"))
                .isEqualTo("Our shop (https://a.example/) and more\n");
        assertThat(HtmlText.of("<a href=\"https://a.example/\"><img src=\"i.png\" alt=\"\"></a>"))
                .isEqualTo("https://a.example/\n");
        assertThat(HtmlText.of("<a href=\"https://a.example/\"><h2>Title</h2><p>Text</p></a><p>Next</p>"))
                .isEqualTo("Title\n\nText (https://a.example/)\n\nNext\n");
        assertThat(HtmlText.of("<a href=\"https://a.example/\">https://a.example</a> <a href=\"tel:+49\">+49</a>"))
                .isEqualTo("https://a.example +49\n");
        assertThat(HtmlText.of("<a href=\"javascript:x()\">x</a><a name=top>y</a>"))
                .isEqualTo("xy\n");
    }

    @Test
    void listsKeepTheirLinesNumbersAndPlaces() {
        assertThat(HtmlText.of("<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul>f"))
                .isEqualTo("- a\n- b\n  1. c\n  2. d\n- e\n\nf\n");
        assertThat(HtmlText.of("<ol start=3><li>a<li value=7>b<li>c</ol>")).isEqualTo("3. a\n7. b\n8. c\n");
        assertThat(HtmlText.of("<ol reversed><li>a<li>b<ul><li>x</ul><li>c</ol>"))
                .isEqualTo("3. a\n2. b\n   - x\n1. c\n");
        assertThat(HtmlText.of("<ol type=a start=26><li>z<li>aa</ol><ol type=I><li>x<li value=1994>y</ol>"))
                .isEqualTo("z. z\naa. aa\n\nI. x\nMCMXCIV. y\n");
        assertThat(HtmlText.of("<ul><li><p>a</p></li><li></li><li><p>b</p><p>c</p></li></ul>"))
                .isEqualTo("- a\n\n- b\n\n  c\n");
        assertThat(HtmlText.of("<ul><li>a</li><ul><li>b</li></ul></ul><li>c")).isEqualTo("- a\n  - b\n\n- c\n");
        assertThat(HtmlText.of("<ol start=x type=i><li value=0>a<li value=4000>b</ol>"))
                .isEqualTo("0. a\n4000. b\n");
        assertThat(HtmlText.of("<dl><dt>term<dd>what it is<br>and more<dt>other<dd>x</dl>"))
                .isEqualTo("term\n  what it is\n  and more\nother\n  x\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div style=\"display:none\">%s</div>",
                "<div style=\"color:red; DISPLAY : NONE !important\">%s</div>",
                "<span style=\"visibility:hidden\">%s</span>",
                "<div style=\"mso-hide:all\">%s</div>",
                "<div style=\"font-size:0\">%s</div>",
                "<div style=\"font-size:0.0px\"><b style=\"font-size:1em\">%s</b></div>",
                "<div style=\"max-height:0px;overflow:hidden\">%s</div>",
                "<div style=\"opacity:0\"><p style=\"opacity:1\">%s</p></div>",
                "<div hidden>%s</div>",
                "<table hidden><tr><td>%s</table>",
                "<p style=\"display:none\">%s<p>",
                "<select><option>%s</select>",
                "<template><p>%s</p></template>",
                "<!--[if mso]><p>%s</p><![endif]-->",
            })
    void hiddenPreheaderIsNotSaid(String html) {
        assertThat(HtmlText.of(html.formatted("See our offers&nbsp;&zwnj;") + "<p>Shown</p>"))
                .isEqualTo("Shown\n");
    }

    @Test
    void visibleElementsInsideHiddenOnesAreInTheText() {
        assertThat(HtmlText.of("<td style=\"font-size:0px\"><div style=\"font-size:13px\">a</div></td>"
                        + "<p style=\"visibility:hidden\">b<b style=\"visibility:visible\">c</b></p>"
                        + "<td style=\"font-size:0\"><img alt=\"d\"></td>"
                        + "<div style=\"mso-hide:all\"><a href=\"https://e.example\">e</a></div>"
                        + "<p style=\"font-size:10px;opacity:0.9;max-height:100px;display:block\">f</p>"
                        + "<![if !mso]><p>g</p><![endif]>"))
                .isEqualTo("a\n\nc\n\nd\ne (https://e.example)\n\nf\n\ng\n");
    }

    @Test
    void fillersAreDroppedAndJoinersBetweenLettersStay() {
        assertThat(HtmlText.of("<p>a&#0;b</p>")).isEqualTo("ab\n");
        assertThat(HtmlText.of("<p>&nbsp;&zwnj;&nbsp;&zwnj;&#8203;&shy;&#847;&emsp;</p><p>a&nbsp;b</p>"))
                .isEqualTo("a b\n");
        assertThat(HtmlText.of("<p>\u0645\u06CC\u200C\u062E \uD83D\uDC69\u200D\uD83D\uDCBB</p>"))
                .isEqualTo("\u0645\u06CC\u200C\u062E \uD83D\uDC69\u200D\uD83D\uDCBB\n");
    }

    @Test
    void quotesAndRulesAndBreaksKeepTheirPlace() {
        assertThat(HtmlText.of("<p>a</p><blockquote><p>b</p><p>c<br>d</p></blockquote><hr><p>e<br><br><br><br><br>f"))
                .isEqualTo("a\n\n> b\n>\n> c\n> d\n\n----------\n\ne\n\n\nf\n");
    }

    @Test
    void endTagsThatMayBeLeftOutAreSupplied() {
        assertThat(HtmlText.of("<table><tr><td>a<td>b<tr><th>c<td><p>d<p>e</table><p>f<div>g</div>h"))
                .isEqualTo("a b\nc\n\nd\n\ne\n\nf\n\ng\nh\n");
    }
}
