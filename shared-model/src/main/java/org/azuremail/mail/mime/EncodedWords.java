package org.azuremail.mail.mime;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.azuremail.content.Escaping;

/**
 * Text in headers: ASCII as it is, everything else as encoded words. The result is one line of ASCII in which a blank may
 * be folded.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2047">RFC 2047</a>
 */
public final class EncodedWords {

    /** Bytes of UTF-8 in one encoded word, so that a header's name and the first word share a line of 76. */
    private static final int BYTES_PER_WORD = 39;

    /** A word that is longer with the blanks before it cannot be folded to the 998 characters of a line and is encoded. */
    private static final int LONGEST_WORD = 900;

    private static final Pattern ATOMS = Pattern.compile("[ A-Za-z0-9!#$%&'*+/=?^_`{|}~-]*");

    private EncodedWords() {}

    /** Unstructured text, as a subject. Line breaks and control characters become blanks. */
    public static String text(String text) {
        String line = Escaping.ONE_LINE.apply(text);
        return plain(line) ? line : encoded(line);
    }

    /** A phrase, as a display name: quoted or encoded where it must be; empty stays empty. */
    public static String phrase(String text) {
        String line = Escaping.ONE_LINE.apply(text).strip();
        if (!plain(line)) {
            return encoded(line);
        }
        if (ATOMS.matcher(line).matches()) {
            return line;
        }
        String quoted = '"' + line.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        return plain(quoted) ? quoted : encoded(line);
    }

    private static boolean plain(String text) {
        int unfolded = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean folds = c == ' ' && i > 0 && text.charAt(i - 1) != ' ';
            unfolded = folds ? 1 : unfolded + 1;
            if (c > '~' || unfolded > LONGEST_WORD || (c == '=' && text.startsWith("=?", i))) {
                return false;
            }
        }
        return true;
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
        words.append(words.isEmpty() ? "" : " ")
                .append("=?UTF-8?B?")
                .append(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)))
                .append("?=");
    }
}
