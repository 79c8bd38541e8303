package org.azuremail.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Template;
import org.jspecify.annotations.Nullable;

/**
 * A valid template. Rendering runs no code, escapes each value for its place, and takes time in proportion to the
 * output. Immutable.
 *
 * @param styles the content of a layout's style elements, the only styles that a page allows
 */
public record CompiledTemplate(List<Part> parts, List<String> styles) {

    sealed interface Part {}

    record Text(String text) implements Part {}

    record Value(String name, String fallback, EscapingContext context) implements Part {}

    /** A merge field of emails, with a value for each recipient. */
    record MergeField(String name, String fallback) implements Part {}

    /** A choice between two texts, by whether a value is present. */
    record Choice(String name, List<Part> present, List<Part> missing) implements Part {}

    /** A part that is repeated for each item of a list. */
    record Loop(String name, List<Part> body) implements Part {}

    /** The place of the page in a layout. */
    record Slot() implements Part {}

    public CompiledTemplate {
        parts = List.copyOf(parts);
        styles = List.copyOf(styles);
    }

    /** @param values texts, and lists of maps of texts */
    public String render(Map<String, ?> values) {
        return render(values, "");
    }

    /** @param page put into a layout unescaped */
    public String render(Map<String, ?> values, String page) {
        StringBuilder out = new StringBuilder(page.length() + 1024);
        for (Template.Part part : merged(values, page)) {
            out.append(
                    part instanceof Template.Field field
                            ? "{{" + field.name() + "}}"
                            : ((Template.Literal) part).text());
        }
        return out.toString();
    }

    /**
     * Returns a part of an email, in which values that differ between recipients remain merge fields. A value that
     * contains double braces does not become a field.
     */
    public Template template(Map<String, ?> values) {
        return new Template(merged(values, ""));
    }

    private List<Template.Part> merged(Map<String, ?> values, String page) {
        List<Template.Part> merged = new ArrayList<>();
        write(parts, values, page, merged);
        return merged;
    }

    private static void write(List<Part> parts, Map<String, ?> values, String page, List<Template.Part> out) {
        for (Part part : parts) {
            if (part instanceof Text text) {
                out.add(new Template.Literal(text.text()));
            } else if (part instanceof Value value) {
                String written = value.context().escape(text(values.get(value.name()), value.fallback()));
                out.add(new Template.Literal(written));
            } else if (part instanceof MergeField field) {
                out.add(new Template.Field(field.name(), field.fallback()));
            } else if (part instanceof Choice choice) {
                write(present(values.get(choice.name())) ? choice.present() : choice.missing(), values, page, out);
            } else if (part instanceof Loop loop) {
                for (Map<?, ?> item : items(values.get(loop.name()))) {
                    Map<String, Object> inner = new HashMap<>(values);
                    item.forEach((name, value) -> inner.put((String) name, value));
                    write(loop.body(), inner, page, out);
                }
            } else if (!page.isEmpty()) {
                out.add(new Template.Literal(page));
            }
        }
    }

    private static String text(@Nullable Object value, String fallback) {
        return value instanceof String text && !text.isBlank() ? text : fallback;
    }

    private static boolean present(@Nullable Object value) {
        return value instanceof String text ? !text.isBlank() : value instanceof List<?> list && !list.isEmpty();
    }

    @SuppressWarnings("unchecked") // lists hold nothing else
    private static List<Map<?, ?>> items(@Nullable Object value) {
        return value instanceof List<?> list ? (List<Map<?, ?>>) list : List.of();
    }
}
