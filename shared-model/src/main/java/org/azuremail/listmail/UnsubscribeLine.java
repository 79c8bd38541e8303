package org.azuremail.listmail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.content.HtmlOutline;
import org.azuremail.content.Template;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;

/** Gives each body its way out where the author left it out, the list's frame; and the sender's postal address likewise. */
final class UnsubscribeLine {

    private static final String FIELD = "unsubscribe";
    private static final String ADDRESS = "list-address";

    private UnsubscribeLine() {}

    static Template inHtml(String html, ListIdentity list, Templates.Chosen templates) {
        HtmlOutline outline = HtmlOutline.of(html);
        Set<String> shown = Template.parseHtml(outline.shown()).fieldNames();
        List<Template.Part> framed = new ArrayList<>();
        framed.addAll(Template.parseHtml(html.substring(0, outline.end())).parts());
        int author = framed.size();
        if (!shown.contains(FIELD)) {
            framed.addAll(
                    templates.get(TemplateName.FRAME).template(values(list)).parts());
        }
        if (addressMissing(shown, framed, list)) {
            framed.addAll(Template.parse("<p style=\"font-size:small\">{{list-address}}</p>\n")
                    .parts());
        }
        if (framed.size() == author) {
            return Template.parseHtml(html);
        }
        framed.addAll(Template.parseHtml(html.substring(outline.end())).parts());
        return new Template(framed);
    }

    static Template inText(String text, ListIdentity list, Templates.Chosen templates) {
        Template parsed = Template.parse(text);
        Set<String> shown = parsed.fieldNames();
        List<Template.Part> framed = new ArrayList<>();
        framed.addAll(Template.parse(text.stripTrailing() + "\n\n").parts());
        int author = framed.size();
        if (!shown.contains(FIELD)) {
            framed.addAll(templates
                    .get(TemplateName.FRAME_TEXT)
                    .template(values(list))
                    .parts());
        }
        if (addressMissing(shown, framed, list)) {
            framed.addAll(Template.parse("{{list-address}}\n").parts());
        }
        return framed.size() == author ? parsed : new Template(framed);
    }

    private static boolean addressMissing(Set<String> shown, List<Template.Part> framed, ListIdentity list) {
        return !list.address().isEmpty()
                && !shown.contains(ADDRESS)
                && framed.stream()
                        .noneMatch(part -> part instanceof Template.Field field
                                && field.name().equals(ADDRESS));
    }

    private static Map<String, String> values(ListIdentity list) {
        return Map.of("list", list.title(), "language", list.language());
    }
}
