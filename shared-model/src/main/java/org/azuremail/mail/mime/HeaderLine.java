package org.azuremail.mail.mime;

/**
 * Writes header fields, folded at blanks to lines of 76 characters where that is possible.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3">RFC 5322, 2.2.3</a>
 */
final class HeaderLine {

    private static final int LINE = 76;

    private HeaderLine() {}

    /** @param value one line; line breaks in it are dropped, so that no value can add a header */
    static void append(ByteBuilder out, String name, String value) {
        String line = value.indexOf('\r') < 0 && value.indexOf('\n') < 0 ? value : value.replaceAll("[\\r\\n]", " ");
        out.append(name).append(": ");
        if (name.length() + 2 + line.length() <= LINE) {
            out.append(line);
        } else {
            fold(out, line, name.length() + 2);
        }
        out.append("\r\n");
    }

    /** Breaks before the blanks that are before a word: no line may consist of blanks alone. */
    private static void fold(ByteBuilder out, String line, int column) {
        int at = column;
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
            out.append(line.substring(from, end));
            at += end - from;
            from = end;
        }
    }
}
