package org.azuremail.content;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.parser.Parser;

/**
 * A text with merge fields, parsed once. {@code {{name}}} stands for a field, {@code {{name|friend}}} gives what to say when the
 * recipient has none. Spaces inside the braces and capitals in the name do not matter; whatever is not exactly such a field stays in
 * the text as it stands. Merging knows no expression language: it only puts values in.
 *
 * @param parts literals and fields in order
 */
public record Template(List<Part> parts) {

    private static final Pattern FIELD =
            Pattern.compile("\\{\\{\\s*([\\p{L}\\p{N}_-]{1,64})\\s*(?:\\\\?\\|([^{}]{0,500}))?}}");

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

    public static Template parse(String text) {
        return parse(text, UnaryOperator.identity());
    }

    /** An HTML body: what to say instead is HTML there too, so <code>{{name|you &amp;amp; yours}}</code> says "you & yours". */
    public static Template parseHtml(String html) {
        return parse(html, fallback -> Parser.unescapeEntities(fallback, false));
    }

    private static Template parse(String text, UnaryOperator<String> fallbackReader) {
        List<Part> parts = new ArrayList<>();
        int end = 0;
        for (MatchResult field : (Iterable<MatchResult>) fields(text)::iterator) {
            if (field.start() > end) {
                parts.add(new Literal(text.substring(end, field.start())));
            }
            String fallback = field.group(2) == null ? "" : field.group(2).strip();
            parts.add(new Field(field.group(1).toLowerCase(Locale.ROOT), fallbackReader.apply(fallback)));
            end = field.end();
        }
        if (end < text.length()) {
            parts.add(new Literal(text.substring(end)));
        }
        return new Template(parts);
    }

    static Stream<MatchResult> fields(CharSequence text) {
        return FIELD.matcher(text).results();
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
