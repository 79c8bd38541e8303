package org.azuremail.web.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;

/** A server that has a feed for every name, counts the readings of each feed, and can delay them. */
final class FeedsOnLoopback implements AutoCloseable {

    private static final byte[] FEED = """
            <rss version="2.0"><channel><title>News</title><item><guid>1</guid><title>First</title></item></channel></rss>
            """.getBytes(StandardCharsets.UTF_8);

    private static final Duration QUIET = Duration.ofSeconds(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final Map<String, Integer> readings = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    FeedsOnLoopback() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String address(String name) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String name = call.getRequestURI().getPath().substring(1);
            readings.merge(name, 1, Integer::sum);
            CountDownLatch hold = held.get(name);
            if (hold != null) {
                waiting.add(name);
                hold.await();
            }
            call.getResponseHeaders().set("Content-Type", "application/rss+xml");
            call.sendResponseHeaders(200, FEED.length);
            call.getResponseBody().write(FEED);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    int readings(String name) {
        return readings.getOrDefault(name, 0);
    }

    Map<String, Integer> readings() {
        return Map.copyOf(readings);
    }

    /** Delays every reading of this feed until {@link #release}. */
    void hold(String name) {
        held.put(name, new CountDownLatch(1));
    }

    void awaitHeld(String name) {
        Awaitility.await("a reading of " + name).until(() -> waiting.contains(name));
    }

    void release(String name) {
        CountDownLatch hold = held.remove(name);
        if (hold != null) {
            hold.countDown();
        }
    }

    /** Waits until no feed has been read for a while. */
    void awaitQuiet() {
        Awaitility.await("no reading")
                .atMost(Duration.ofMinutes(1))
                .during(QUIET)
                .pollInterval(WatcherProcesses.OFTEN)
                .until(this::readings, new Unchanged());
    }

    private static final class Unchanged extends org.hamcrest.BaseMatcher<Map<String, Integer>> {

        private Object before = Map.of();

        @Override
        public boolean matches(Object now) {
            boolean same = now.equals(before);
            before = now;
            return same;
        }

        @Override
        public void describeTo(org.hamcrest.Description description) {
            description.appendText("as it was");
        }
    }

    @Override
    public void close() {
        held.values().forEach(CountDownLatch::countDown);
        server.stop(0);
        threads.shutdownNow();
    }
}
