package org.azuremail.listmail;

import java.util.Locale;
import java.util.regex.Pattern;
import org.azuremail.content.Escaping;
import org.azuremail.content.TemplateParser;

/** Gives each body its way out where the author left it out. */
final class UnsubscribeLine {

    private static final String FIELD = "unsubscribe";
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);

    private UnsubscribeLine() {}

    static String inHtml(String html, ListIdentity list) {
        if (TemplateParser.parseHtml(COMMENT.matcher(html).replaceAll(""))
                .fieldNames()
                .contains(FIELD)) {
            return html;
        }
        String line = "<p style=\"font-size:small\">You get this mail because you subscribed to "
                + broken(Escaping.HTML.apply(list.title()), "&#123;")
                + ". <a href=\"{{unsubscribe}}\">Unsubscribe</a></p>\n";
        int end = end(html.toLowerCase(Locale.ROOT));
        return html.substring(0, end) + line + html.substring(end);
    }

    static String inText(String text, ListIdentity list) {
        if (TemplateParser.parse(text).fieldNames().contains(FIELD)) {
            return text;
        }
        return text.stripTrailing() + "\n\n-- \nYou get this mail because you subscribed to "
                + broken(Escaping.ONE_LINE.apply(list.title()), "{ ") + ".\nUnsubscribe: {{unsubscribe}}\n";
    }

    /** Before the end tags, so that what we add is still in the document. */
    private static int end(String lowerCase) {
        int body = lowerCase.lastIndexOf("</body");
        int html = lowerCase.lastIndexOf("</html");
        return body >= 0 ? body : html >= 0 ? html : lowerCase.length();
    }

    /** A description is no template: double braces in it must not become a field. */
    private static String broken(String title, String brace) {
        return title.replace("{{", brace + "{");
    }
}
