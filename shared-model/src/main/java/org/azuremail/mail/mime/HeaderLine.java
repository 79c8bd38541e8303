package org.azuremail.mail.mime;

/**
 * Writes header fields, folded at blanks to lines of 76 characters where possible.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3">RFC 5322, 2.2.3</a>
 */
final class HeaderLine {

    private static final int LINE = 76;

    private HeaderLine() {}

    /** @param value one line; line breaks in it become blanks, so that no value can add a header */
    static String of(String name, String value) {
        String line = value.replace('\r', ' ').replace('\n', ' ');
        StringBuilder out = new StringBuilder(name).append(": ");
        if (out.length() + line.length() <= LINE) {
            out.append(line);
        } else {
            fold(out, line);
        }
        return out.append("\r\n").toString();
    }

    /** Breaks lines before the blanks that precede a word, because no line may consist only of blanks. */
    private static void fold(StringBuilder out, String line) {
        int at = out.length();
        for (int from = 0; from < line.length(); ) {
            int word = from;
            while (word < line.length() && line.charAt(word) == ' ') {
                word++;
            }
            int end = line.indexOf(' ', word) < 0 ? line.length() : line.indexOf(' ', word);
            if (from > 0 && word < end && at + end - from > LINE) {
                out.append("\r\n");
                at = 0;
            }
            out.append(line, from, end);
            at += end - from;
            from = end;
        }
    }
}
