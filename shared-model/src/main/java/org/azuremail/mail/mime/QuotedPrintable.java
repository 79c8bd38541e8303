package org.azuremail.mail.mime;

import java.nio.charset.StandardCharsets;

/**
 * Writes text as quoted-printable, piece by piece. Each piece continues where the previous one ended, so pieces that
 * are the same for every recipient are encoded only once. Line breaks of every kind become CR LF.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2045#section-6.7">RFC 2045, 6.7</a>
 */
final class QuotedPrintable {

    /** The most characters of a line without its 76th, the {@code =} of a soft break. */
    private static final int LINE = 75;

    private static final String HEX = "0123456789ABCDEF";

    /** Ends the encoded line, but not the line of the text. */
    static final String SOFT_BREAK = "=\r\n";

    private QuotedPrintable() {}

    /**
     * Appends a text.
     *
     * @param column the number of characters already on the line
     * @return the number of characters on the last line afterwards
     */
    static int append(StringBuilder out, String text, int column) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = column;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b == '\r' || b == '\n') {
                i += b == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n' ? 1 : 0;
                out.append("\r\n");
                at = 0;
            } else {
                at = append(out, b, plain(b) && !(blank(b) && endsLine(bytes, i + 1)), at);
            }
        }
        return at;
    }

    private static int append(StringBuilder out, byte b, boolean plain, int column) {
        int at = column;
        if (at + (plain ? 1 : 3) > LINE) {
            out.append(SOFT_BREAK);
            at = 0;
        }
        if (plain) {
            out.append((char) b);
            return at + 1;
        }
        out.append('=').append(HEX.charAt((b >> 4) & 0xF)).append(HEX.charAt(b & 0xF));
        return at + 3;
    }

    private static boolean plain(byte b) {
        return (b >= ' ' && b <= '~' && b != '=') || b == '\t';
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    /**
     * Returns whether a line may end here, where blanks would be lost during transport. The text after a piece is
     * unknown.
     */
    private static boolean endsLine(byte[] bytes, int next) {
        return next == bytes.length || bytes[next] == '\r' || bytes[next] == '\n';
    }
}
