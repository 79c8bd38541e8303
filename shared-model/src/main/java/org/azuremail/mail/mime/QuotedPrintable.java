package org.azuremail.mail.mime;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes text as quoted-printable, piece by piece: each piece goes on where the one before ended, so that what is the
 * same for everybody is encoded once. Line breaks of every kind become CR LF.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2045#section-6.7">RFC 2045, 6.7</a>
 */
final class QuotedPrintable {

    /** The 76th character of a line is the {@code =} of a soft break. */
    private static final int LINE = 75;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SOFT_BREAK = "=\r\n".getBytes(StandardCharsets.US_ASCII);

    private QuotedPrintable() {}

    /**
     * Appends a text.
     *
     * @param column how many characters are on the line already
     * @return how many are on the last line afterwards
     */
    static int append(ByteArrayOutputStream out, String text, int column) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = column;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b == '\r' || b == '\n') {
                i += b == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n' ? 1 : 0;
                out.write('\r');
                out.write('\n');
                at = 0;
            } else {
                at = append(out, b, plain(b) && !(blank(b) && endsLine(bytes, i + 1)), at);
            }
        }
        return at;
    }

    private static int append(ByteArrayOutputStream out, byte b, boolean plain, int column) {
        int at = column;
        if (at + (plain ? 1 : 3) > LINE) {
            softBreak(out);
            at = 0;
        }
        if (plain) {
            out.write(b);
            return at + 1;
        }
        out.write('=');
        out.write(HEX[(b >> 4) & 0xF]);
        out.write(HEX[b & 0xF]);
        return at + 3;
    }

    /** Ends the line without ending the text's line. */
    static void softBreak(ByteArrayOutputStream out) {
        out.writeBytes(SOFT_BREAK);
    }

    private static boolean plain(byte b) {
        return (b >= ' ' && b <= '~' && b != '=') || b == '\t';
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Blanks before a line's end are lost on the way; what follows a piece is not known. */
    private static boolean endsLine(byte[] bytes, int next) {
        return next == bytes.length || bytes[next] == '\r' || bytes[next] == '\n';
    }
}
