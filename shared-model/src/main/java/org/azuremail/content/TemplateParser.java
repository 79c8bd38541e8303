package org.azuremail.content;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.parser.Parser;

/**
 * Reads {@code {{field}}} and {@code {{field|what to say instead}}}. Spaces inside the braces and capitals in the name
 * do not matter; whatever is not exactly such a field stays in the text as it stands.
 */
public final class TemplateParser {

    private static final Pattern FIELD =
            Pattern.compile("\\{\\{\\s*([\\p{L}\\p{N}_-]{1,64})\\s*(?:\\\\?\\|([^{}]{0,500}))?}}");

    private TemplateParser() {}

    public static Template parse(String text) {
        return parse(text, UnaryOperator.identity());
    }

    /** An HTML body: what to say instead is HTML there too, so <code>{{name|you &amp;amp; yours}}</code> says "you & yours". */
    public static Template parseHtml(String html) {
        return parse(html, fallback -> Parser.unescapeEntities(fallback, false));
    }

    private static Template parse(String text, UnaryOperator<String> fallbackReader) {
        List<Template.Part> parts = new ArrayList<>();
        int end = 0;
        for (MatchResult field : (Iterable<MatchResult>) fields(text)::iterator) {
            if (field.start() > end) {
                parts.add(new Template.Literal(text.substring(end, field.start())));
            }
            String fallback = field.group(2) == null ? "" : field.group(2).strip();
            parts.add(new Template.Field(field.group(1).toLowerCase(Locale.ROOT), fallbackReader.apply(fallback)));
            end = field.end();
        }
        if (end < text.length()) {
            parts.add(new Template.Literal(text.substring(end)));
        }
        return new Template(parts);
    }

    static Stream<MatchResult> fields(CharSequence text) {
        return FIELD.matcher(text).results();
    }
}
