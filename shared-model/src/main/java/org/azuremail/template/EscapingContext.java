package org.azuremail.template;

import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.azuremail.content.Escaping;

/** The place of a value in a template, which decides how the value is escaped. */
enum EscapingContext {
    /** A place between tags. */
    TEXT,
    /** A place inside a quoted attribute. */
    ATTRIBUTE,
    /** The beginning of an address: a path of this service, or a scheme that runs no code. */
    URL,
    /** A place inside an address: one value of its query, or one name in its path. */
    URL_PART,
    /** A place inside a style: a colour, a length or a word. */
    STYLE,
    /** A place in plain text or in a header: one line. */
    LINE;

    private static final Pattern SAFE_URL = Pattern.compile(
            "(?:/(?![/\\\\])|(?:https?://|mailto:|tel:))[^\\s\\p{Cntrl}\\\\]*|/", Pattern.CASE_INSENSITIVE);

    private static final Pattern NOT_IN_STYLES = Pattern.compile("[^A-Za-z0-9#.% -]");

    String escape(String value) {
        return switch (this) {
            case TEXT, ATTRIBUTE -> Escaping.HTML.apply(value);
            case URL -> SAFE_URL.matcher(value).matches() ? Escaping.HTML.apply(value) : "#";
            case URL_PART -> URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
            case STYLE -> NOT_IN_STYLES.matcher(value).replaceAll("");
            case LINE -> Escaping.ONE_LINE.apply(value);
        };
    }
}
