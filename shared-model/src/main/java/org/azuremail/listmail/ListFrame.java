package org.azuremail.listmail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.content.HtmlOutline;
import org.azuremail.content.Template;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;

/**
 * Adds the list's frame with the unsubscribe link to each body without such a link, and the sender's postal address to
 * each body without it.
 */
final class ListFrame {

    private static final String FIELD = "unsubscribe";
    private static final String ADDRESS = "list-address";

    private ListFrame() {}

    static Template inHtml(String html, ListIdentity list, Templates.TemplateSet templates) {
        HtmlOutline outline = HtmlOutline.of(html);
        Set<String> shown = Template.parseHtml(outline.shown()).fieldNames();
        String address = "<p style=\"font-size:small\">{{list-address}}</p>\n";
        List<Template.Part> framed = new ArrayList<>();
        framed.addAll(Template.parseHtml(html.substring(0, outline.end())).parts());
        if (!complete(framed, shown, list, templates.get(TemplateName.FRAME), address)) {
            return Template.parseHtml(html);
        }
        framed.addAll(Template.parseHtml(html.substring(outline.end())).parts());
        return new Template(framed);
    }

    static Template inText(String text, ListIdentity list, Templates.TemplateSet templates) {
        Template parsed = Template.parse(text);
        List<Template.Part> framed = new ArrayList<>();
        framed.addAll(Template.parse(text.stripTrailing() + "\n\n").parts());
        CompiledTemplate frame = templates.get(TemplateName.FRAME_TEXT);
        return complete(framed, parsed.fieldNames(), list, frame, "{{list-address}}\n") ? new Template(framed) : parsed;
    }

    /** @return whether a missing part was added */
    private static boolean complete(
            List<Template.Part> body, Set<String> shown, ListIdentity list, CompiledTemplate frame, String address) {
        int author = body.size();
        if (!shown.contains(FIELD)) {
            body.addAll(frame.template(Map.of("list", list.title(), "language", list.language()))
                    .parts());
        }
        boolean addressShown =
                shown.contains(ADDRESS) || new Template(body).fieldNames().contains(ADDRESS);
        if (!addressShown && !list.address().isEmpty()) {
            body.addAll(Template.parse(address).parts());
        }
        return body.size() > author;
    }
}
