package org.azuremail.template;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.content.Template;
import org.jspecify.annotations.Nullable;

/**
 * A valid template. Rendering runs no code, escapes each value for its place, and takes time in proportion to its output. Immutable.
 *
 * @param parts in order
 * @param styles the content of a layout's style elements: a page allows only these
 */
public record CompiledTemplate(List<Part> parts, List<String> styles) {

    /** A piece of a template. */
    sealed interface Part {}

    record Text(String text) implements Part {}

    record Value(String name, String fallback, Place place) implements Part {}

    /** A merge field of emails, with a value for each recipient. */
    record Later(String name, String fallback) implements Part {}

    /** One of two texts, by whether a value is present. */
    record Choice(String name, List<Part> present, List<Part> missing) implements Part {}

    /** Once for each item of a list. */
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
        write(parts, values, new Output() {
            @Override
            public void text(String text) {
                out.append(text);
            }

            @Override
            public void later(Later field) {
                out.append("{{").append(field.name()).append("}}");
            }

            @Override
            public void slot() {
                out.append(page);
            }
        });
        return out.toString();
    }

    /** A part of an email: values that differ between recipients remain merge fields. A value with double braces does not become one. */
    public Template template(Map<String, ?> values) {
        List<Template.Part> merged = new ArrayList<>();
        write(parts, values, new Output() {
            @Override
            public void text(String text) {
                merged.add(new Template.Literal(text));
            }

            @Override
            public void later(Later field) {
                merged.add(new Template.Field(field.name(), field.fallback()));
            }

            @Override
            public void slot() {}
        });
        return new Template(merged);
    }

    /** The target of the text. */
    private interface Output {
        void text(String text);

        void later(Later field);

        void slot();
    }

    private static void write(List<Part> parts, Map<String, ?> values, Output out) {
        for (Part part : parts) {
            if (part instanceof Text text) {
                out.text(text.text());
            } else if (part instanceof Value value) {
                out.text(value.place().write(text(values.get(value.name()), value.fallback())));
            } else if (part instanceof Later field) {
                out.later(field);
            } else if (part instanceof Choice choice) {
                write(present(values.get(choice.name())) ? choice.present() : choice.missing(), values, out);
            } else if (part instanceof Loop loop) {
                for (Map<?, ?> item : items(values.get(loop.name()))) {
                    Map<String, Object> inner = new HashMap<>(values);
                    item.forEach((name, value) -> inner.put((String) name, value));
                    write(loop.body(), inner, out);
                }
            } else {
                out.slot();
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
