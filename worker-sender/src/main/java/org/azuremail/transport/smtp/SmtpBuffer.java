package org.azuremail.transport.smtp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes that wait to be written. The buffer keeps its memory from email to email, up to a limit. */
final class SmtpBuffer extends ByteArrayOutputStream {

    private static final int MAX_REUSED_BYTES = 64 * 1024;

    private static final int PIECE = 64 * 1024;

    SmtpBuffer() {
        super(8 * 1024);
    }

    /**
     * Appends an email: each dot that begins a line is doubled, and the last line is ended (RFC 5321, 4.5.2). The
     * search in a string compares many bytes at once.
     */
    void appendStuffed(byte[] mail) {
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        if (text.startsWith(".")) {
            write('.');
        }
        int copied = 0;
        for (int end = text.indexOf("\n."); end >= 0; end = text.indexOf("\n.", copied)) {
            write(mail, copied, end + 1 - copied);
            write('.');
            copied = end + 1;
        }
        write(mail, copied, mail.length - copied);
        if (mail.length == 0 || mail[mail.length - 1] != '\n') {
            write('\r');
            write('\n');
        }
    }

    /** Called between two pieces of a long write, to say that the other side still reads. */
    interface Progress {
        void made() throws IOException;
    }

    /** Writes all bytes except this many at the end, which stay in the buffer. */
    void writeTo(OutputStream out, int held, Progress progress) throws IOException {
        int sent = count - held;
        for (int at = 0; at < sent; at += PIECE) {
            if (at > 0) {
                progress.made();
            }
            out.write(buf, at, Math.min(PIECE, sent - at));
        }
        out.flush();
        System.arraycopy(buf, sent, buf, 0, held);
        count = held;
        if (buf.length > MAX_REUSED_BYTES && count <= MAX_REUSED_BYTES) {
            buf = Arrays.copyOf(buf, MAX_REUSED_BYTES);
        }
    }
}
