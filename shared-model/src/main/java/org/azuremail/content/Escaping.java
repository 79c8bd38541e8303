package org.azuremail.content;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The way in which a merged value is escaped. */
public enum Escaping {
    /** Unchanged, for plain text. */
    NONE {
        @Override
        void append(StringBuilder text, String value) {
            text.append(value);
        }
    },
    /** For HTML text, or for the inside of a quoted attribute. */
    HTML {
        @Override
        void append(StringBuilder text, String value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                switch (c) {
                    case '&' -> text.append("&amp;");
                    case '<' -> text.append("&lt;");
                    case '>' -> text.append("&gt;");
                    case '"' -> text.append("&quot;");
                    case '\'' -> text.append("&#39;");
                    default -> text.append(c);
                }
            }
        }
    },
    /** For a header or one line of text: line breaks and control characters become blanks. */
    ONE_LINE {
        @Override
        void append(StringBuilder text, String value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                text.append(c < ' ' || c == 127 ? ' ' : c);
            }
        }
    },
    /**
     * For the path, query or fragment of a URL (RFC 3986): percent-encoded UTF-8. Slashes stay, so that a value with
     * several segments of a path keeps its meaning. The result needs no other escaping.
     */
    URL {
        @Override
        void append(StringBuilder text, String value) {
            for (byte one : value.getBytes(StandardCharsets.UTF_8)) {
                if (UNRESERVED.indexOf(one) >= 0) {
                    text.append((char) one);
                } else {
                    HEX.toHexDigits(text.append('%'), one);
                }
            }
        }
    };

    private static final String UNRESERVED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    abstract void append(StringBuilder text, String value);

    public String apply(String value) {
        StringBuilder text = new StringBuilder(value.length() + 16);
        append(text, value);
        return text.toString();
    }
}
