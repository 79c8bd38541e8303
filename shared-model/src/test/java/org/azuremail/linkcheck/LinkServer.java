package org.azuremail.linkcheck;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that answers each path, or each method and path, with exactly these bytes. Others get the status 404 and a
 * body.
 */
final class LinkServer implements AutoCloseable {

    interface Reply {
        void to(OutputStream out) throws IOException, InterruptedException;
    }

    private static final int TLS_HANDSHAKE = 0x16;

    /** The request lines that arrived. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    final List<String> heads = new CopyOnWriteArrayList<>();
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket socket;

    LinkServer(InetAddress address) throws IOException {
        socket = new ServerSocket(0, 100, address);
        threads.execute(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    void reply(String path, Reply reply) {
        replies.put(path, reply);
    }

    void status(String path, int status, String... headers) {
        reply(
                path,
                out -> write(
                        out,
                        "HTTP/1.1 " + status + " Said\r\nContent-Length: 0\r\n" + String.join("\r\n", headers)
                                + (headers.length == 0 ? "" : "\r\n") + "\r\n"));
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket call = socket.accept();
                threads.execute(() -> answer(call));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void answer(Socket call) {
        try (call) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(call.getInputStream(), StandardCharsets.ISO_8859_1));
            in.mark(1);
            if (in.read() == TLS_HANDSHAKE) {
                return;
            }
            in.reset();
            String first = in.readLine();
            StringBuilder head = new StringBuilder();
            for (String line = first; line != null && !line.isEmpty(); line = in.readLine()) {
                head.append(line).append('\n');
            }
            if (first == null || !first.matches("[A-Z]+ \\S+ HTTP/1.1")) {
                return;
            }
            requests.add(first.replace(" HTTP/1.1", ""));
            heads.add(head.toString());
            String[] parts = first.split(" ");
            Reply other = out -> write(out, "HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\nNone");
            replies.getOrDefault(parts[0] + " " + parts[1], replies.getOrDefault(parts[1], other))
                    .to(call.getOutputStream());
        } catch (IOException | InterruptedException gone) {
            // The client has read enough, or the test is over.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
