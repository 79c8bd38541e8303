package org.azuremail.gallery;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.azuremail.content.Escaping;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.Template;
import org.azuremail.gallery.Mjml.MjmlFault;
import org.azuremail.gallery.Mjml.TemplateValues;

/**
 * The fields that a template may have, the places where each may occur, and the values of those that do not depend on
 * the recipient.
 */
record MjmlFields(TemplateValues values) {

    private static final Set<String> COLORS = Set.of("color", "text-color");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "background-url", "background");
    private static final Set<String> WORDS = Set.of("alt", "title", "aria-label");

    static boolean isColor(String field) {
        return COLORS.contains(field);
    }

    /** @throws MjmlReader.Refusal if the field is not allowed in this attribute */
    static void requirePlace(String attribute, String field, boolean first, String written, int line) {
        boolean fits = ADDRESSES.contains(attribute)
                ? first && Set.of("logo", "unsubscribe").contains(field)
                : COLORS.contains(field)
                        || (WORDS.contains(attribute) && Set.of("list", "name").contains(field));
        if (!fits) {
            throw new MjmlReader.Refusal(MjmlFault.MJML_FIELD_PLACE, line, written);
        }
    }

    /** @throws MjmlReader.Refusal if the field does not exist */
    Template.Field require(String written, int line) {
        return Template.parse(written).parts().stream()
                .flatMap(part -> part instanceof Template.Field one ? Stream.of(one) : Stream.empty())
                .filter(one -> known().contains(one.name()))
                .findFirst()
                .orElseThrow(() -> new MjmlReader.Refusal(MjmlFault.MJML_FIELD, line, written, names()));
    }

    private Set<String> known() {
        Set<String> known = new LinkedHashSet<>(values.values().keySet());
        known.addAll(MessageBodies.BUILT_IN_FIELDS);
        return known;
    }

    String names() {
        Set<String> all = new TreeSet<>(known());
        all.add(MjmlReader.CONTENT);
        return String.join(", ", all.stream().map(name -> "{{" + name + "}}").toList());
    }

    /** Returns the value of a field; fields of recipients remain as written, to be merged later. */
    String value(Template.Field field, String written) {
        return Escaping.HTML.apply(
                MessageBodies.BUILT_IN_FIELDS.contains(field.name())
                        ? written
                        : Template.value(field, values.values()));
    }
}
