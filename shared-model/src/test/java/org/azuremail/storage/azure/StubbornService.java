package org.azuremail.storage.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.azuremail.storage.azurite.Azurite;
import org.azuremail.storage.azurite.Azurite.Service;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;

/** A service on loopback that replaces an account and misbehaves. */
final class StubbornService implements AutoCloseable {

    private static final int OPEN_END = 0;

    /** The treatment of a request. */
    private interface Manner {
        void treat(HttpExchange request) throws IOException, InterruptedException;
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    private StubbornService(Manner manner) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", request -> {
            try (request) {
                manner.treat(request);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    /** Returns a service that refuses every request with this status and error code. */
    static StubbornService thatSays(int status, String code) {
        return new StubbornService(request -> {
            request.getRequestBody().transferTo(OutputStream.nullOutputStream());
            request.getResponseHeaders().set("x-ms-error-code", code);
            request.sendResponseHeaders(status, -1);
        });
    }

    /** Returns a service that accepts requests and never answers. */
    static StubbornService thatIsSilent() {
        CountDownLatch never = new CountDownLatch(1);
        return new StubbornService(request -> never.await());
    }

    /** Returns a service that begins a good answer and never ends it. */
    static StubbornService thatFallsAsleep() {
        CountDownLatch never = new CountDownLatch(1);
        return new StubbornService(request -> {
            request.getResponseHeaders().set("Content-Range", "bytes 0-99/100");
            request.getResponseHeaders().set("Content-Type", "application/xml");
            request.sendResponseHeaders(request.getRequestMethod().equals("GET") ? 200 : 201, OPEN_END);
            request.getResponseBody().write("<?xml".getBytes(StandardCharsets.US_ASCII));
            request.getResponseBody().flush();
            never.await();
        });
    }

    /** Returns clients with short time-outs. */
    AzureAccount impatientClients() {
        return clients(Duration.ofMillis(150), Duration.ofMillis(400), Time.system());
    }

    /** Returns clients that wait for every answer. Where possible, their pauses take no time. */
    AzureAccount patientClients() {
        return clients(Duration.ofSeconds(30), Duration.ofMinutes(1), ManualTime.thatSleepsByItself());
    }

    private AzureAccount clients(Duration tryTimeout, Duration deadline, Time time) {
        int port = server.getAddress().getPort();
        String connectionString =
                Azurite.connectionString(Map.of(Service.BLOB, port, Service.QUEUE, port, Service.TABLE, port));
        Duration connectTimeout = Duration.ofSeconds(5);
        return AzureAccount.of(
                new AzureProperties(connectionString, null, null, connectTimeout, tryTimeout, deadline), time);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
