package org.azuremail.watcher.feed;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server on this machine with one feed and an ETag for each version of it. */
final class FeedServer implements AutoCloseable {

    interface Reply {
        void to(HttpExchange call) throws IOException;
    }

    final AtomicInteger calls = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile Reply reply = call -> status(call, 404);

    FeedServer() throws IOException {
        this(InetAddress.getLoopbackAddress());
    }

    FeedServer(InetAddress address) throws IOException {
        server = HttpServer.create(new InetSocketAddress(address, 0), 0);
        server.setExecutor(threads);
        server.createContext("/", call -> {
            calls.incrementAndGet();
            try (call) {
                reply.to(call);
            }
        });
        server.start();
    }

    URI at(String host, String path) {
        return URI.create("http://" + host + ":" + server.getAddress().getPort() + path);
    }

    String address() {
        return at("127.0.0.1", "/feed").toString();
    }

    void replies(Reply next) {
        reply = next;
    }

    /** Publishes a feed with these titles of entries, newest first. The title of an entry is also its id. */
    void rss(String... titles) {
        says(Stream.of(titles).map(title -> item(title, title)).collect(Collectors.joining()));
    }

    static String item(String id, String title) {
        return "<item><guid isPermaLink=\"false\">" + id + "</guid><title>" + title
                + "</title><link>https://news.example/" + id + "</link><description>About " + title
                + "</description></item>";
    }

    void says(String items) {
        body("application/rss+xml", "<rss version=\"2.0\"><channel><title>News</title>" + items + "</channel></rss>");
    }

    void body(String type, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String etag = "\"" + text.hashCode() + "\"";
        reply = call -> {
            if (etag.equals(call.getRequestHeaders().getFirst("If-None-Match"))) {
                status(call, 304);
                return;
            }
            call.getResponseHeaders().set("Content-Type", type);
            call.getResponseHeaders().set("ETag", etag);
            call.sendResponseHeaders(200, bytes.length);
            call.getResponseBody().write(bytes);
        };
    }

    static void text(HttpExchange call, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        call.getResponseBody().write(bytes);
    }

    static void status(HttpExchange call, int status) throws IOException {
        call.sendResponseHeaders(status, -1);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
