package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The bytes that wait to be written; the buffer keeps its room from mail to mail, up to a bound. */
final class SmtpBuffer {

    private static final int KEPT = 64 * 1024;

    private byte[] bytes = new byte[8 * 1024];
    private int size;

    int size() {
        return size;
    }

    SmtpBuffer append(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
        return this;
    }

    SmtpBuffer append(byte[] more) {
        return append(more, 0, more.length);
    }

    private SmtpBuffer append(byte[] more, int from, int to) {
        room(to - from);
        System.arraycopy(more, from, bytes, size, to - from);
        size += to - from;
        return this;
    }

    /** A mail of lines: each dot that begins one is doubled, and the last line is ended. RFC 5321, 4.5.2. */
    void appendStuffed(byte[] mail) {
        int copied = 0;
        for (int i = 0; i < mail.length; i++) {
            if (mail[i] == '.' && (i == 0 || mail[i - 1] == '\n')) {
                append(mail, copied, i).append('.');
                copied = i;
            }
        }
        append(mail, copied, mail.length);
        if (mail.length == 0 || mail[mail.length - 1] != '\n') {
            append('\r').append('\n');
        }
    }

    /** Writes all but so many bytes at the end, which then wait alone. */
    void writeTo(OutputStream out, int held) throws IOException {
        int sent = size - held;
        out.write(bytes, 0, sent);
        out.flush();
        System.arraycopy(bytes, sent, bytes, 0, held);
        size = held;
        if (bytes.length > KEPT && size <= KEPT) {
            bytes = Arrays.copyOf(bytes, KEPT);
        }
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }
}
