package org.azuremail.listmail;

import org.azuremail.content.Escaping;
import org.azuremail.content.HtmlOutline;
import org.azuremail.content.TemplateParser;

/** Gives each body its way out where the author left it out. */
final class UnsubscribeLine {

    private static final String FIELD = "unsubscribe";

    private UnsubscribeLine() {}

    static String inHtml(String html, ListIdentity list) {
        HtmlOutline outline = HtmlOutline.of(html);
        if (TemplateParser.parseHtml(outline.shown()).fieldNames().contains(FIELD)) {
            return html;
        }
        String line = "<p style=\"font-size:small\">You get this mail because you subscribed to "
                + broken(Escaping.HTML.apply(list.title()), "&#123;")
                + ". <a href=\"{{unsubscribe}}\">Unsubscribe</a></p>\n";
        return html.substring(0, outline.end()) + line + html.substring(outline.end());
    }

    static String inText(String text, ListIdentity list) {
        if (TemplateParser.parse(text).fieldNames().contains(FIELD)) {
            return text;
        }
        return text.stripTrailing() + "\n\n-- \nYou get this mail because you subscribed to "
                + broken(Escaping.ONE_LINE.apply(list.title()), "{ ") + ".\nUnsubscribe: {{unsubscribe}}\n";
    }

    /** A description is no template: double braces in it must not become a field. */
    private static String broken(String title, String brace) {
        return title.replace("{{", brace + "{");
    }
}
