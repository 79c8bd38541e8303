package org.azuremail.content;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A text with merge fields, parsed once. {@code {{name}}} stands for a field, {@code {{name|friend}}} gives what to say
 * when the recipient has none. Merging knows no expression language: it only puts values in.
 *
 * @param parts literals and fields in order
 */
public record Template(List<Part> parts) {

    public sealed interface Part {}

    public record Literal(String text) implements Part {}

    /**
     * A place for a recipient's value.
     *
     * @param name lower-case letters, digits, {@code _} and {@code -}
     * @param fallback used when the recipient's value is missing or blank
     */
    public record Field(String name, String fallback) implements Part {}

    public Template {
        parts = List.copyOf(parts);
    }

    /** A template without fields; double braces in it mean nothing. */
    public static Template literal(String text) {
        return new Template(List.of(new Literal(text)));
    }

    /** The fields that the text uses, in order of appearance. */
    public Set<String> fieldNames() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Field field) {
                names.add(field.name());
            }
        }
        return names;
    }

    public String merge(Map<String, String> values, Escaping escaping) {
        StringBuilder text = new StringBuilder();
        mergeInto(text, values, escaping);
        return text.toString();
    }

    /** As {@link #merge}, appended to what is already there. */
    public void mergeInto(StringBuilder text, Map<String, String> values, Escaping escaping) {
        for (Part part : parts) {
            if (part instanceof Literal literal) {
                text.append(literal.text());
            } else if (part instanceof Field field) {
                escaping.append(text, value(field, values));
            }
        }
    }

    /** The text that a recipient with these values sees at a field, not escaped. */
    public static String value(Field field, Map<String, String> values) {
        String value = values.get(field.name());
        return value == null || value.isBlank() ? field.fallback() : value;
    }
}
