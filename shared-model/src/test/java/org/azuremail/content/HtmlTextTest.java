package org.azuremail.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
    void whatIsNotShownIsNotSaid() {
        assertThat(HtmlText.of("<html><head><title>T</title><style>p{}</style></head><body><!-- c -->"
                        + "<script>alert(1)</script><p>x</p><img src=\"i\" alt=\"a picture\"></body></html>"))
                .isEqualTo("x\n\na picture\n");
    }

    @Test
    void fieldsAndEntitiesSurvive() {
        assertThat(HtmlText.of("<p>Dear {{name|friend &amp; co}} &lt;3&nbsp;x</p>"))
                .isEqualTo("Dear {{name|friend & co}} <3 x\n");
    }

    @Test
    void preformattedTextKeepsItsShape() {
        assertThat(HtmlText.of("<p>a</p><pre>  x\n    y</pre><p>b</p>")).isEqualTo("a\n\n  x\n    y\n\nb\n");
    }
}
