package org.azuremail.listmail;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.content.Escaping;
import org.azuremail.content.HtmlText;
import org.azuremail.content.Template;
import org.azuremail.list.Brand;
import org.azuremail.list.ListName;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.azuremail.template.ProductTemplates;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks where the unsubscribe line is inserted: the parser finds the place, and no other character of the HTML
 * changes.
 */
class ListFrameTest {

    private static final ListIdentity LIST = new ListIdentity(
            new ListName("news"), "News", new Mailbox(new EmailAddress("a@example.org"), ""), null, "en", Brand.NONE);
    private static final String LINE =
            "<p style=\"font-size:small\">You get this email because you subscribed to News. "
                    + "<a href=\"{{unsubscribe}}\">Unsubscribe</a></p>\n";

    /** The texts contain all such letters, of every length, in lower and upper case, alone and in sequence. */
    @Test
    void lettersWhoseCaseChangesTheirLengthMoveNothing() {
        List<String> letters = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(c -> Character.isDefined(c) && Character.getType(c) != Character.SURROGATE)
                .mapToObj(Character::toString)
                .filter(letter -> letter.toLowerCase(Locale.ROOT).length() != letter.length()
                        || letter.toUpperCase(Locale.ROOT).length() != letter.length())
                .toList();
        assertThat(letters).hasSizeGreaterThan(100).contains("\u0130");

        letters.forEach(letter -> assertPlaced("<html><body><p>" + letter.repeat(50) + "</p>", "</BODY></html>"));
        assertPlaced("<p>" + String.join("", letters) + "</p>", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p>x</p>|<!-- </body> -->",
                "<p>x</p>|<!-- never ends </body></html>",
                "<html><body><p>x</p>|</body><!-- </body> --></html>",
                "<html><body><p>x</p><!-- </body> -->|</body></html>",
                "<body><p>x</p><!--[if mso]></body><![endif]-->|</body>",
                "<body><!--[if !mso]><!--><p>x</p><!--<![endif]-->|</body>",
                "<body><![if !mso]><p>x</p><![endif]>|</body>",
                "<body><p>x</p><script>var end = '</body>';</script>|</body>",
                "<p>x</p>|<script>never ends </body>",
                "<body><p>x</p>|<style>p { } </body>",
                "<body><textarea></body></textarea><p>x</p>|</body>",
                "<p>x</p>|<textarea>never ends</body>",
                "<title></body></title><body><p>x</p>|</body>",
                "<body><template><body>x</body></template><p>y</p>|</body>",
                "<body><p>x</p>|<template><p>never ends</p></body>",
                "<body><p title='</body>' data-x=\"</body>\">x</p>|</body>",
                "<p>x</p>|<a href=\"never ends </body>",
                "<p>x</p>|<!DOCTYPE",
                "<p>x</p>|<![CDATA[ </body>",
                "<body><![CDATA[ </body> ]]><p>x</p>|</body>",
                "<body>a</body>b<body>c|</body>d",
                "<body>a<body>b</body>c|</body>",
                "<p>x</p>|</body></html>",
                "<html><p>x</p>|</html>",
                "<p>x</p>|\n</div></div>\n",
                "<body><div style=\"display:none\">x</div><p>y</p>|</body>",
                "<body><p>y</p>|<div style=\"display:none\">never ends</body>",
                "<body><table><tr><td hidden>x<td>y</table>|</body>",
                "<BODY\n class='a>b'\n><p>x</p>|</BoDy\t\n></html>",
                "<body><p>x</p>|</body/ foo></html>",
                "<body><p>x</p>|<plaintext></body></html>",
                "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><br/><p/>x|</body></html>",
                "\r\n<body>\r\n<p>\uD83D\uDE00</p>\r\n|</body>\r\n",
            })
    void theLineStandsWhereItIsRead(String marked) {
        int place = marked.indexOf('|');
        assertPlaced(marked.substring(0, place), marked.substring(place + 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p>x</p><!-- {{unsubscribe}} -->",
                "<p>x</p><!--[if mso]><a href=\"{{unsubscribe}}\">bye</a><![endif]-->",
                "<script>'{{unsubscribe}}'</script><p>x</p>",
                "<style>{{unsubscribe}}</style><p>x</p>",
                "<title>{{unsubscribe}}</title><p>x</p>",
                "<p>x</p><a href=\"{{unsubscribe}}",
                "<div style=\"display:none\"><a href=\"{{unsubscribe}}\">bye</a></div><p>x</p>",
                "<div hidden>{{unsubscribe}}</div><p>x</p>",
                "<div style=\"font-size:0\">{{unsubscribe}}<b style=\"font-size:9px\">x</b></div>",
                "<div style=\"font-size:0\"><a href=\"{{unsubscribe}}\">bye</a></div>",
            })
    void linkThatNobodySeesDoesNotCount(String html) {
        assertThat(inHtml(html)).contains(LINE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p><a href=\"{{unsubscribe}}\">bye</a></p>",
                "<body><!--[if !mso]><!--><a href=\"{{ Unsubscribe }}\">bye</a><!--<![endif]--></body>",
                "{{unsubscribe}}",
                "<td style=\"font-size:0px\"><div style=\"font-size:13px\"><a href=\"{{unsubscribe}}\">x</a></div></td>",
                "<body>x</body><a href='{{unsubscribe|x}}'>bye</a>",
                "<!-- x --><p hidden>y</p><a href={{unsubscribe}}>bye</a><!-- z -->",
            })
    void bodyWithALinkStaysAsItIs(String html) {
        assertThat(ListFrame.inHtml(html, LIST, ProductTemplates.CHOSEN)).isEqualTo(Template.parseHtml(html));
    }

    @Test
    void thePostalAddressIsAddedOnceAndIsNoTemplate() {
        ListIdentity posted = new ListIdentity(
                LIST.name(), "News", LIST.from(), null, "en", Brand.NONE.withAddress("{{name}} & Sons, 1 Main St"));

        MergedMail mail = MergedMail.of(
                ListMail.content("1", posted, "s", "<p>x</p>", "x", URI.create("http://x"), ProductTemplates.CHOSEN),
                ListMail.sampleWithoutValues(posted, URI.create("http://x"), "1", new EmailAddress("b@example.org")));
        assertThat(mail.html()).contains("{{name}} &amp; Sons, 1 Main St");
        assertThat(mail.text()).containsOnlyOnce("{{name}} & Sons, 1 Main St");
        String own = "<body>{{unsubscribe}} {{list-address}}</body>";
        assertThat(ListFrame.inHtml(own, posted, ProductTemplates.CHOSEN)).isEqualTo(Template.parseHtml(own));
        assertThat(ListFrame.inText("out: {{unsubscribe}}", posted, ProductTemplates.CHOSEN)
                        .fieldNames())
                .containsExactly("unsubscribe", "list-address");
    }

    /** Checks the place with our parser and with another one, which follows the rules of browsers. */
    static void assertPlaced(String before, String after) {
        String html = inHtml(before + after);

        assertThat(html).isEqualTo(before + LINE + after);
        Element link = Jsoup.parse(html).body().selectFirst("a[href={{unsubscribe}}]");
        assertThat(link).as(html).isNotNull();
        assertThat(link.closest("template, textarea, select, [style*=none], [hidden]"))
                .as(html)
                .isNull();
        assertThat(HtmlText.of(html)).contains("Unsubscribe ({{unsubscribe}})");
    }

    private static String inHtml(String html) {
        return ListFrame.inHtml(html, LIST, ProductTemplates.CHOSEN)
                .merge(Map.of("unsubscribe", "{{unsubscribe}}"), Escaping.NONE);
    }
}
