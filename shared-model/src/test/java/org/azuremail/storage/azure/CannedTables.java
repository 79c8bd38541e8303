package org.azuremail.storage.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.Azurite.Service;
import org.azuremail.time.ManualTime;

/** A table service that gives prepared answers, which Azurite cannot give. */
final class CannedTables implements AutoCloseable {

    /** A prepared answer. If the body begins with parts, it is the answer to a batch. */
    record Answer(int status, Map<String, String> headers, String body) {}

    private final HttpServer server;
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    CannedTables() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            Answer answer = answers.size() > 1 ? answers.poll() : answers.getFirst();
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    CannedTables then(int status, String body) {
        return then(status, Map.of(), body);
    }

    CannedTables then(int status, Map<String, String> headers, String body) {
        Map<String, String> all = new java.util.HashMap<>(headers);
        all.putIfAbsent("Content-Type", "application/json;odata=fullmetadata");
        answers.add(new Answer(status, all, body));
        return this;
    }

    /** Adds the answer to a batch. Each part has a status line, headers and perhaps a body. */
    CannedTables thenBatch(String... parts) {
        StringBuilder body = new StringBuilder(
                "--batchresponse_1\r\n" + "Content-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n");
        for (String part : parts) {
            body.append("--changesetresponse_1\r\nContent-Type: application/http\r\n"
                    + "Content-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 ");
            body.append(part).append("\r\n\r\n");
        }
        body.append("--changesetresponse_1--\r\n--batchresponse_1--\r\n");
        return then(202, Map.of("Content-Type", "multipart/mixed; boundary=batchresponse_1"), body.toString());
    }

    /** Returns the body of an error of the service. */
    static String error(String code, String message) {
        return "{\"odata.error\":{\"code\":\"" + code + "\",\"message\":{\"lang\":\"en-US\",\"value\":\"" + message
                + "\"}}}";
    }

    /** Returns the method and address of each request, in order. */
    List<String> requests() {
        return requests;
    }

    /** Returns the product's store on this service, whose pauses between attempts take no time. */
    TableStore store() {
        int port = server.getAddress().getPort();
        AzureProperties properties = new AzureProperties(
                Azurite.connectionString(Map.of(Service.BLOB, port, Service.QUEUE, port, Service.TABLE, port)),
                null,
                null,
                Duration.ofSeconds(2),
                Duration.ofSeconds(8),
                Duration.ofSeconds(20));
        return new AzureTableStore(
                AzureAccount.of(properties, ManualTime.thatSleepsByItself()).tables());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
