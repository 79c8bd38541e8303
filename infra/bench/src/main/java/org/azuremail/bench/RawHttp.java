package org.azuremail.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests with so many personalizations each, ready made, over two connections. */
final class RawHttp {

    private static final int CONNECTIONS = 2;
    private static final String PERSONALIZATION =
            "{\"to\":[{\"email\":\"%s\",\"name\":\"Reader\"}],\"subject\":\"News\","
                    + "\"headers\":{\"Message-ID\":\"<1.0123456789abcdef0123456789abcdef@bench.test>\","
                    + "\"List-Unsubscribe\":\"<http://localhost/unsubscribe?list=readers&guid=0123456789abcdef0123456789>\","
                    + "\"List-Unsubscribe-Post\":\"List-Unsubscribe=One-Click\",\"List-Id\":\"<readers.bench.test>\"},"
                    + "\"substitutions\":{\"%0123456789abcdefx0%\":\"Town\",\"%0123456789abcdefx1%\":\"Reader\","
                    + "\"%0123456789abcdefx2%\":\"Plan\",\"%0123456789abcdefx3%\":"
                    + "\"http://localhost/unsubscribe?list=readers&guid=0123456789abcdef0123456789\"}}";

    private RawHttp() {}

    static double run(int mails, int port, int batch) throws Exception {
        Raw.together(mails / 4, CONNECTIONS, (from, to) -> send(port, batch, from, to));
        return Raw.together(mails, CONNECTIONS, (from, to) -> send(port, batch, from, to));
    }

    private static void send(int port, int batch, int from, int to) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            byte[] full = request(batch);
            for (int first = from; first < to; first += batch) {
                exchange(socket, to - first < batch ? request(to - first) : full);
            }
        }
    }

    private static byte[] request(int personalizations) {
        StringBuilder body = new StringBuilder("{\"personalizations\":[");
        for (int i = 1; i <= personalizations; i++) {
            body.append(i == 1 ? "" : ",").append(PERSONALIZATION.replace("%s", Tally.reader(i)));
        }
        body.append("],\"content\":\"")
                .append(Readers.BODY.replace("\"", "\\\"").replace("\n", "\\n"))
                .append("\"}");
        String head = "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static void exchange(Socket socket, byte[] request) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(request);
        InputStream in = socket.getInputStream();
        for (int last = 0, ends = 0; ends < 2; ) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer");
            }
            ends = next == '\n' ? (last == '\n' ? 2 : 1) : next == '\r' ? ends : 0;
            last = next == '\r' ? last : next;
        }
    }
}
