package org.azuremail.mail.mime;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.azuremail.content.Escaping;

/**
 * Converts texts for headers: ASCII stays unchanged, everything else becomes encoded words. The result is one line of
 * ASCII that can be folded at its blanks.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2047">RFC 2047</a>
 */
public final class EncodedWords {

    /**
     * The bytes of UTF-8 in one encoded word, chosen so that a header's name and the first word fit a line of 76
     * characters.
     */
    private static final int BYTES_PER_WORD = 39;

    /**
     * The longest word, with the blanks before it, that is not encoded. A longer one could not be folded to the 998
     * characters of a line.
     */
    private static final int MAX_WORD_LENGTH = 900;

    private static final Pattern ATOMS = Pattern.compile("[ A-Za-z0-9!#$%&'*+/=?^_`{|}~-]*");

    private EncodedWords() {}

    /** Returns unstructured text, such as a subject. Line breaks and control characters become blanks. */
    public static String text(String text) {
        String line = Escaping.ONE_LINE.apply(text);
        return plain(line) ? line : encoded(line);
    }

    /** Returns a phrase, such as a display name, quoted or encoded if necessary. An empty text stays empty. */
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
            if (c > '~' || unfolded > MAX_WORD_LENGTH || (c == '=' && text.startsWith("=?", i))) {
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
