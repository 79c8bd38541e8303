package org.azuremail.transport.sendgrid;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.transport.ReceivedMail;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP server that speaks {@code /v3/mail/send}. It accepts emails as SendGrid does, or answers as a test tells it.
 */
public final class FakeSendGrid implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<ReceivedMail> received = new CopyOnWriteArrayList<>();
    private final List<List<String>> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile Behaviour behaviour = recipients -> null;
    private volatile @Nullable String apiKey;
    private volatile boolean readingMails = true;

    /** Answers a request; {@code null} means that it is accepted. */
    @FunctionalInterface
    public interface Behaviour {
        @Nullable
        Reply to(List<String> recipients);
    }

    /**
     * An answer.
     *
     * @param status the status; 0 hangs up without an answer, -1 never answers
     */
    public record Reply(int status, String body, Map<String, String> headers) {

        public static Reply of(int status) {
            return of(status, "");
        }

        public static Reply of(int status, String message) {
            return error(status, message, "null");
        }

        /** @param field SendGrid's name of the field that is wrong */
        public static Reply error(int status, String message, String field) {
            String quoted = "null".equals(field) ? field : '"' + field + '"';
            return new Reply(
                    status,
                    "{\"errors\":[{\"message\":\"" + message + "\",\"field\":" + quoted + ",\"help\":null}]}",
                    Map.of());
        }

        public Reply with(String header, String value) {
            return new Reply(status, body, Map.of(header, value));
        }
    }

    public FakeSendGrid() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v3/mail/send", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public URI endpoint() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    public FakeSendGrid answer(Behaviour newBehaviour) {
        behaviour = newBehaviour;
        return this;
    }

    /** Makes the server refuse other keys with 401. */
    public FakeSendGrid requireKey(String key) {
        apiKey = key;
        return this;
    }

    /** Makes the server record only {@link #requests()}, for requests whose emails would fill the memory. */
    public FakeSendGrid withoutReadingMails() {
        readingMails = false;
        return this;
    }

    /** Returns the emails that were accepted. */
    public List<ReceivedMail> received() {
        return List.copyOf(received);
    }

    /** Returns the recipients of each request, accepted or not. */
    public List<List<String>> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
            List<String> recipients = new ArrayList<>();
            request.get("personalizations")
                    .forEach(to ->
                            recipients.add(to.get("to").get(0).get("email").asString()));
            requests.add(recipients);
            Reply reply = refusedKey(exchange) ? Reply.of(401, "authorization required") : behaviour.to(recipients);
            if (reply == null) {
                take(request);
                exchange.getResponseHeaders().set("X-Message-Id", "request-" + accepted.incrementAndGet());
                exchange.sendResponseHeaders(202, -1);
            } else if (reply.status() == -1) {
                awaitEnd();
            } else if (reply.status() > 0) {
                byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
                reply.headers().forEach(exchange.getResponseHeaders()::set);
                exchange.sendResponseHeaders(reply.status(), body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private boolean refusedKey(HttpExchange exchange) {
        return apiKey != null
                && !("Bearer " + apiKey).equals(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void take(JsonNode request) {
        if (!readingMails) {
            return;
        }
        List<ReceivedMail> mails = new ArrayList<>();
        for (JsonNode personalization : request.get("personalizations")) {
            mails.add(SendGridMails.read(request, personalization));
        }
        received.addAll(mails);
    }

    private void awaitEnd() {
        try {
            closed.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
