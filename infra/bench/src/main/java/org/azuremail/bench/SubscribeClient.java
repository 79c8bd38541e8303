package org.azuremail.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client with one connection that uses very little CPU, so that it does not distort the measurement. Not safe for use
 * from several threads.
 */
final class SubscribeClient implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)");
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final int port;
    private Socket socket;
    private Sink.Input in;

    SubscribeClient(int port) throws IOException {
        this.port = port;
        open();
    }

    private void open() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new Sink.Input(socket.getInputStream());
    }

    /** Asks a list to add a person, and returns the status. */
    int subscribe(String list, String email, String key) throws IOException {
        String body = "{\"email\":\"" + email + "\",\"name\":\"Reader\"}";
        String request = "POST /api/v1/lists/" + list + "/subscriptions HTTP/1.1\r\nHost: localhost:" + port
                + "\r\nAuthorization: Bearer " + key + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
        socket.getOutputStream().write(Sink.ascii(request));
        return answer();
    }

    private int answer() throws IOException {
        int size = in.lengthTo(Sink.HEAD_END);
        if (size < 0) {
            throw new IOException("no answer");
        }
        String head = in.takeText(size).toLowerCase(Locale.ROOT);
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            in.take(Integer.parseInt(length.group(1)));
        } else if (head.contains("transfer-encoding: chunked")) {
            skipChunks();
        }
        if (head.contains("connection: close")) {
            // The server closes a connection after a number of requests.
            socket.close();
            open();
        }
        return Integer.parseInt(head.substring(STATUS_AT, STATUS_AT + 3));
    }

    private void skipChunks() throws IOException {
        int size = -1;
        while (size != 0) {
            size = Integer.parseInt(in.takeText(in.lengthTo(Sink.LINE)).strip(), 16);
            in.take(size + Sink.LINE.length);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
