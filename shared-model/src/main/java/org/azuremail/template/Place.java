package org.azuremail.template;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.azuremail.content.Escaping;

/** The place of a value in a template: it decides how the value is written. */
enum Place {
    /** Between tags. */
    TEXT {
        @Override
        String write(String value) {
            return Escaping.HTML.apply(value);
        }
    },
    /** Inside a quoted attribute. */
    ATTRIBUTE {
        @Override
        String write(String value) {
            return Escaping.HTML.apply(value);
        }
    },
    /** The beginning of an address: a path of ours, or a scheme that runs nothing. */
    URL {
        @Override
        String write(String value) {
            return SAFE_URL.matcher(value).matches() ? Escaping.HTML.apply(value) : "#";
        }
    },
    /** Inside an address: one value of its query, or one name in its path. */
    URL_PART {
        @Override
        String write(String value) {
            return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
        }
    },
    /** Inside a style: a colour, a length or a word. */
    STYLE {
        @Override
        String write(String value) {
            return NOT_IN_STYLES.matcher(value).replaceAll("");
        }
    },
    /** In plain text, or in a header: one line. */
    LINE {
        @Override
        String write(String value) {
            return Escaping.ONE_LINE.apply(value);
        }
    };

    private static final Pattern SAFE_URL = Pattern.compile(
            "(?:/(?![/\\\\])|(?:https?://|mailto:|tel:))[^\\s\\p{Cntrl}\\\\]*|/", Pattern.CASE_INSENSITIVE);

    private static final Pattern NOT_IN_STYLES = Pattern.compile("[^A-Za-z0-9#.% -]");

    abstract String write(String value);
}
