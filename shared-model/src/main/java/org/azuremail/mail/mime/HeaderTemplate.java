package org.azuremail.mail.mime;

import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.mail.MailHeader;
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
}
