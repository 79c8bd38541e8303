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
 * A text with merge fields, parsed once. {@code {{name}}} is a field, and {@code {{name|friend}}} a field with a
 * fallback for recipients without a value. Spaces inside the braces and the case of the name do not matter. Text that
 * is not exactly such a field stays unchanged. Merging only inserts values; there is no expression language.
 *
 * @param parts literals and fields in order
 */
public record Template(List<Part> parts) {

    private static final Pattern FIELD =
            Pattern.compile("\\{\\{\\s*([\\p{L}\\p{N}_-]{1,64})\\s*(?:\\\\?\\|([^{}]{0,500}))?}}");

    private static final Pattern ELEMENT_TAG = Pattern.compile("</?[A-Za-z][^<>]*>");

    public sealed interface Part {}

    public record Literal(String text) implements Part {}

    /**
     * A place for a recipient's value.
     *
     * @param name lower-case letters, digits, {@code _} and {@code -}
     * @param fallback used if the recipient's value is missing or blank
     */
    public record Field(String name, String fallback) implements Part {}

    public Template {
        parts = List.copyOf(parts);
    }

    /** Returns a template without fields; double braces in the text have no meaning. */
    public static Template literal(String text) {
        return new Template(List.of(new Literal(text)));
    }

    public static Template parse(String text) {
        return parse(text, UnaryOperator.identity());
    }

    /**
     * Parses an HTML body. Fallbacks in it are HTML, too, so <code>{{name|you &amp;amp; yours}}</code> means "you &
     * yours". Like a value, a fallback is plain text: tags in it are left out.
     */
    public static Template parseHtml(String html) {
        return parse(
                html,
                fallback ->
                        Parser.unescapeEntities(ELEMENT_TAG.matcher(fallback).replaceAll(""), false));
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

    /** Returns the fields of the text, in order of appearance. */
    public Set<String> fieldNames() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Field field) {
                names.add(field.name());
            }
        }
        return names;
    }

    /** Returns the fields that show nothing to a recipient without a value, in order of appearance. */
    public Set<String> fieldsWithoutFallback() {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Field field && field.fallback().isBlank()) {
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

    /** Does the same as {@link #merge}, but appends to a text. */
    public void mergeInto(StringBuilder text, Map<String, String> values, Escaping escaping) {
        for (Part part : parts) {
            if (part instanceof Literal literal) {
                text.append(literal.text());
            } else if (part instanceof Field field) {
                escaping.append(text, value(field, values));
            }
        }
    }

    /** Returns the text at a field for a recipient with these values, without escaping. */
    public static String value(Field field, Map<String, String> values) {
        String value = values.get(field.name());
        return value == null || value.isBlank() ? field.fallback() : value;
    }
}
