package org.azuremail.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Ready bytes over so many connections; MAIL, RCPT and DATA go in one write (RFC 2920), the mail in a second. */
final class RawSmtp {

    private static final int REPLIES_TO_ENVELOPE = 3;

    private RawSmtp() {}

    static double run(int mails, int port, int connections) throws Exception {
        Raw.together(mails / 4, connections, (from, to) -> send(port, from, to));
        return Raw.together(mails, connections, (from, to) -> send(port, from, to));
    }

    private static void send(int port, int from, int to) throws IOException {
        byte[] mail =
                ("From: <news@bench.test>\r\nSubject: News\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n"
                                + Readers.BODY.replace("\n", "\r\n") + "\r\n.\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[4096];
            read(in, buffer, 1);
            out.write(ascii("HELO bench.test\r\n"));
            in.read(buffer);
            for (int number = from; number < to; number++) {
                out.write(ascii("MAIL FROM:<news@bench.test>\r\nRCPT TO:<" + Tally.reader(number) + ">\r\nDATA\r\n"));
                read(in, buffer, REPLIES_TO_ENVELOPE);
                out.write(mail);
                read(in, buffer, 1);
            }
            out.write(ascii("QUIT\r\n"));
        }
    }

    private static void read(InputStream in, byte[] buffer, int lines) throws IOException {
        int left = lines;
        while (left > 0) {
            int size = in.read(buffer);
            if (size < 0) {
                throw new IOException("no answer");
            }
            for (int i = 0; i < size; i++) {
                left -= buffer[i] == '\n' ? 1 : 0;
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
