package org.azuremail.web.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP server that implements {@code /v3/mail/send} and accepts every email. A {@link Taker} decides what becomes of
 * them.
 */
final class SendGridServer implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Receives the emails of a complete request, which is answered when this returns. */
    @FunctionalInterface
    interface Taker {
        void take(String subject, List<String> recipients) throws InterruptedException;
    }

    /** Receives the handles of accepted emails, unless it is null. */
    @Nullable
    volatile Consumer<String> handles;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Taker taker;

    SendGridServer(Taker taker) throws IOException {
        this.taker = taker;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/v3/mail/send", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String endpoint() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
            List<String> recipients = new ArrayList<>();
            for (JsonNode personalization : request.get("personalizations")) {
                recipients.add(personalization.get("to").get(0).get("email").asString());
            }
            Consumer<String> wanted = handles;
            if (wanted != null) {
                request.get("personalizations")
                        .forEach(one -> wanted.accept(
                                one.get("custom_args").get("azuremail").asString()));
            }
            taker.take(subject(request), recipients);
            exchange.getResponseHeaders().set("X-Message-Id", "request");
            exchange.sendResponseHeaders(202, -1);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static String subject(JsonNode request) {
        JsonNode own = request.get("personalizations").get(0).get("subject");
        return (own == null ? request.get("subject") : own).asString();
    }
}
