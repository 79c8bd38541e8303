package org.azuremail.mail;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.azuremail.content.Escaping;

/**
 * Text in headers: ASCII as it is, everything else as encoded words.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2047">RFC 2047</a>
 */
public final class EncodedWords {

    /** Bytes of UTF-8 in one encoded word: 75 characters less {@code =?UTF-8?B?} and {@code ?=}, in Base64. */
    private static final int BYTES_PER_WORD = 45;

    private static final int LINE = 76;

    private EncodedWords() {}

    /** Unstructured text, as a subject; long lines are folded. Line breaks and control characters become blanks. */
    public static String text(String text, int column) {
        String line = Escaping.ONE_LINE.apply(text);
        return plain(line) ? folded(line, column) : encoded(line);
    }

    /** A phrase, as a display name: quoted or encoded where it must be; empty stays empty. */
    public static String phrase(String text) {
        String line = Escaping.ONE_LINE.apply(text).strip();
        if (!plain(line) || line.length() > LINE) {
            return encoded(line);
        }
        if (line.chars().allMatch(EncodedWords::atomOrBlank)) {
            return line;
        }
        return '"' + line.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static boolean plain(String text) {
        int word = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > '~' || (c == '=' && i + 1 < text.length() && text.charAt(i + 1) == '?')) {
                return false;
            }
            word = c == ' ' ? 0 : word + 1;
            if (word > 900) {
                return false;
            }
        }
        return true;
    }

    private static boolean atomOrBlank(int c) {
        return c == ' '
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0;
    }

    /** Breaks before a blank that is followed by a word, so that no line consists of blanks alone. */
    private static String folded(String text, int column) {
        if (column + text.length() <= LINE) {
            return text;
        }
        StringBuilder lines = new StringBuilder(text.length() + 16);
        int at = column;
        int from = 0;
        while (from < text.length()) {
            int word = from;
            while (word < text.length() && text.charAt(word) == ' ') {
                word++;
            }
            int end = text.indexOf(' ', word);
            end = end < 0 ? text.length() : end;
            if (at + end - from > LINE && from > 0 && word > from && word < end) {
                lines.append("\r\n");
                at = 0;
            }
            lines.append(text, from, end);
            at += end - from;
            from = end;
        }
        return lines.toString();
    }

    private static String encoded(String text) {
        StringBuilder words = new StringBuilder();
        int start = 0;
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            int size = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
            if (bytes + size > BYTES_PER_WORD) {
                word(words, text.substring(start, i));
                start = i;
                bytes = 0;
            }
            bytes += size;
            i += Character.charCount(codePoint);
        }
        if (start < text.length()) {
            word(words, text.substring(start));
        }
        return words.toString();
    }

    private static void word(StringBuilder words, String text) {
        if (!words.isEmpty()) {
            words.append("\r\n ");
        }
        words.append("=?UTF-8?B?")
                .append(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)))
                .append("?=");
    }
}
