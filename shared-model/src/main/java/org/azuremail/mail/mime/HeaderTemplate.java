package org.azuremail.mail.mime;

import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.mail.MailContent.MailHeader;
import org.jspecify.annotations.Nullable;

/** A header with places for values. Most have none: what is the same for everybody is written once. */
final class HeaderTemplate {

    private static final int USUAL_LENGTH = 128;

    private final MailHeader header;
    private final byte @Nullable [] same;

    HeaderTemplate(MailHeader header) {
        this.header = header;
        this.same = header.value().fieldNames().isEmpty() ? merged(header) : null;
    }

    private static byte[] merged(MailHeader header) {
        ByteBuilder line = new ByteBuilder(USUAL_LENGTH);
        append(line, header, Map.of());
        return line.bytes();
    }

    void merge(ByteBuilder out, Map<String, String> values) {
        if (same != null) {
            out.append(same);
        } else {
            append(out, header, values);
        }
    }

    private static void append(ByteBuilder out, MailHeader header, Map<String, String> values) {
        HeaderLine.append(out, header.name(), header.value().merge(values, Escaping.ONE_LINE));
    }

    /**
     * Writes header fields, folded at blanks to lines of 76 characters where that is possible.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc5322#section-2.2.3">RFC 5322, 2.2.3</a>
     */
    static final class HeaderLine {

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
}
