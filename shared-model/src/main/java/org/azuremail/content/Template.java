package org.azuremail.content;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.parser.Parser;

/**
 * A text with merge fields, parsed once. {@code {{name}}} is a field, and {@code {{name|friend}}} a field with a
 * fallback for recipients without a value. Spaces inside the braces and the case of the name do not matter. Text that
 * is not exactly such a field stays unchanged. A value inside a URL is percent-encoded, except at its beginning, up to
 * the end of the host: there, the value is an address or a part of one. Merging only inserts values; there is no
 * expression language.
 *
 * @param parts literals and fields in order
 */
public record Template(List<Part> parts) {

    private static final Pattern FIELD =
            Pattern.compile("\\{\\{\\s*([\\p{L}\\p{N}_-]{1,64})\\s*(?:\\\\?\\|([^{}]{0,500}))?}}");

    /** Replaces the characters of fields while URLs are searched for; a noncharacter, which no text contains. */
    private static final char IN_FIELD = '\uFDD1';

    /** The attributes with a URL, and URLs in styles. Conditional comments of Outlook count, too. */
    private static final Pattern URL_IN_HTML = Pattern.compile(
            "[\\s\"'](?:href|src|action|background|poster)\\s*=\\s*(?:\"([^\"]*)|'([^']*)|([^\\s\"'>]+))"
                    + "|\\burl\\(([^)]*)",
            Pattern.CASE_INSENSITIVE);

    /**
     * Characters that end a URL in plain text: blanks of any kind, quotation marks, and the punctuation of East Asia.
     */
    private static final String END = "\\s\\p{Z}<>\"\\p{Pi}\\p{Pf}\\u3000-\\u303F\\uFF00-\\uFFEF";

    /**
     * A URL in plain text, or a field that a query follows. Letters of other scripts may precede it without a blank.
     */
    private static final Pattern URL_IN_TEXT = Pattern.compile(
            "((?:(?<![A-Za-z0-9_])(?:https?://|www\\.|mailto:)|(?<!@)@++(?=[^?END]{0,200}\\?[\\w.-]{1,100}=))[^END]*)"
                    .replace('@', IN_FIELD)
                    .replace("END", END),
            Pattern.CASE_INSENSITIVE);

    /** The beginning of a URL through the first character of its path, query or fragment. */
    private static final Pattern BEFORE_PATH = Pattern.compile("(?:[^/?#]*//)?+[^/?#]*[/?#]");

    private static final Pattern ELEMENT_TAG = Pattern.compile("</?[A-Za-z][^<>]*>");

    public sealed interface Part {}

    public record Literal(String text) implements Part {}

    /**
     * A place for a recipient's value.
     *
     * @param name lower-case letters, digits, {@code _} and {@code -}
     * @param fallback used if the recipient's value is missing or blank
     * @param inUrl whether the place is in the path, query or fragment of a URL, so that the value is percent-encoded
     */
    public record Field(String name, String fallback, boolean inUrl) implements Part {

        public Field(String name, String fallback) {
            this(name, fallback, false);
        }

        /**
         * Returns how a value is escaped at this place.
         *
         * @param usual the escaping outside URLs
         */
        public Escaping escaping(Escaping usual) {
            return inUrl ? Escaping.URL : usual;
        }
    }

    public Template {
        parts = List.copyOf(parts);
    }

    /** Returns a template without fields; double braces in the text have no meaning. */
    public static Template literal(String text) {
        return new Template(List.of(new Literal(text)));
    }

    public static Template parse(String text) {
        return parse(text, URL_IN_TEXT, UnaryOperator.identity());
    }

    /**
     * Parses an HTML body. Fallbacks in it are HTML, too, so <code>{{name|you &amp;amp; yours}}</code> means "you &
     * yours". Like a value, a fallback is plain text: tags in it are left out.
     */
    public static Template parseHtml(String html) {
        return parse(
                html,
                URL_IN_HTML,
                fallback ->
                        Parser.unescapeEntities(ELEMENT_TAG.matcher(fallback).replaceAll(""), false));
    }

    private static Template parse(String text, Pattern url, UnaryOperator<String> fallbackReader) {
        List<MatchResult> fields = fields(text).toList();
        BitSet inUrls = fields.isEmpty() ? new BitSet() : afterBeginningOfUrls(masked(text, fields), url);
        List<Part> parts = new ArrayList<>();
        int end = 0;
        for (MatchResult field : fields) {
            if (field.start() > end) {
                parts.add(new Literal(text.substring(end, field.start())));
            }
            String name = field.group(1).toLowerCase(Locale.ROOT);
            String fallback = field.group(2) == null ? "" : field.group(2).strip();
            parts.add(new Field(name, fallbackReader.apply(fallback), inUrls.get(field.start())));
            end = field.end();
        }
        if (end < text.length()) {
            parts.add(new Literal(text.substring(end)));
        }
        return new Template(parts);
    }

    private static String masked(String text, List<MatchResult> fields) {
        char[] masked = text.toCharArray();
        fields.forEach(field -> Arrays.fill(masked, field.start(), field.end(), IN_FIELD));
        // The # of a character reference, as in url(&#39;{{image}}&#39;), begins no fragment.
        return new String(masked).replace("&#", "&&");
    }

    /** Returns the positions in paths, queries and fragments of URLs. */
    private static BitSet afterBeginningOfUrls(String masked, Pattern url) {
        BitSet positions = new BitSet();
        Matcher urls = url.matcher(masked);
        while (urls.find()) {
            int group = 1;
            while (urls.start(group) < 0) {
                group++;
            }
            Matcher beginning = BEFORE_PATH.matcher(masked).region(urls.start(group), urls.end(group));
            if (beginning.lookingAt()) {
                positions.set(beginning.end(), urls.end(group));
            }
        }
        return positions;
    }

    static Stream<MatchResult> fields(CharSequence text) {
        return FIELD.matcher(text).results();
    }

    /** Returns the fields of the text, in order of appearance. */
    public Set<String> fieldNames() {
        return names(field -> true);
    }

    /** Returns the fields that show nothing to a recipient without a value, in order of appearance. */
    public Set<String> fieldsWithoutFallback() {
        return names(field -> field.fallback().isBlank());
    }

    private Set<String> names(Predicate<Field> wanted) {
        Set<String> names = new LinkedHashSet<>();
        for (Part part : parts) {
            if (part instanceof Field field && wanted.test(field)) {
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
                field.escaping(escaping).append(text, value(field, values));
            }
        }
    }

    /** Returns the text at a field for a recipient with these values, without escaping. */
    public static String value(Field field, Map<String, String> values) {
        String value = values.get(field.name());
        return value == null || value.isBlank() ? field.fallback() : value;
    }
}
