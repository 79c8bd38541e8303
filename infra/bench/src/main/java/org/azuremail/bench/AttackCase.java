package org.azuremail.bench;

import static org.azuremail.bench.Sink.ascii;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.app.Daemons;

/** Case 16: pages and API calls while attackers send very slowly or far too much. */
record AttackCase(Lab lab, ReportEntry entry) {

    private static final String LIST = "attacked";

    void run() throws Exception {
        try (Service service = Service.start(lab, "data/attack")) {
            service.api().makeList(LIST, "double");
            HttpClient admin = PagesCase.signIn(service.url());
            Map<String, Callable<long[]>> looks = pageRequests(service, admin);
            report("undisturbed", looks, "");
            try (Attackers attackers = new Attackers(service.port())) {
                attackers.begin();
                report("while 300 send a byte in 15 s and 60 send 12 MB in chunks", looks, "< 500");
                entry.add("connections that the attackers had to begin anew", "" + attackers.begunAnew(), "");
            }
        }
    }

    private static Map<String, Callable<long[]>> pageRequests(Service service, HttpClient admin) {
        HttpClient stranger = HttpClient.newHttpClient();
        Map<String, Callable<long[]>> looks = new LinkedHashMap<>();
        looks.put("the sign-in page", () -> PagesCase.requestTimes(stranger, service.url() + "/sign-in"));
        looks.put("a list", () -> PagesCase.requestTimes(admin, service.url() + "/lists/" + LIST));
        looks.put("a call of the API", () -> PagesCase.times(() -> service.api().get("/api/v1/lists/" + LIST)));
        return looks;
    }

    /** Adds the times of each request to the entry. A missing answer, or any status but 200, fails the case. */
    private void report(String when, Map<String, Callable<long[]>> looks, String goal) throws Exception {
        for (Map.Entry<String, Callable<long[]>> look : looks.entrySet()) {
            double[] millis = RunStatistics.sorted(look.getValue().call());
            entry.quantiles(look.getKey() + ", " + when + ": p50 / p95, ms", millis, goal);
        }
    }

    /**
     * 300 clients that send one byte every 15 seconds, a third each in headers, in a form and in a chunk; and 60
     * clients that send 12 MB in chunks of 64 KB, ten a second. A client that is cut off starts again.
     */
    private static final class Attackers implements AutoCloseable {

        private static final int SLOW = 300;
        private static final int LARGE = 60;
        private static final long BYTE_EVERY_MILLIS = 15_000;
        private static final int CHUNKS = 12 * 16;
        private static final long CHUNK_EVERY_MILLIS = 100;

        /** The time within which the first bytes of all clients reach the service. */
        private static final long RUN_UP_MILLIS = 5_000;

        private static final String[] SLOW_HEADS = {
            "GET /sign-in HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
            "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: 1000\r\n\r\n",
            "POST /api/v1/lists/attacked/subscriptions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n"
        };

        private static final byte[] LARGE_HEAD = ascii("POST /unsubscribe HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n");
        private static final byte[] CHUNK = ascii("10000\r\n" + "a".repeat(65536) + "\r\n");
        private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");

        private final int port;
        private final AtomicInteger begun = new AtomicInteger();
        private final ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("attacker"));

        Attackers(int port) {
            this.port = port;
        }

        /** Starts all clients and waits until they are connected. */
        void begin() throws InterruptedException {
            for (int i = 0; i < SLOW; i++) {
                byte[] head = ascii(SLOW_HEADS[i % SLOW_HEADS.length]);
                threads.execute(() -> again(() -> sendSlowly(head)));
            }
            for (int i = 0; i < LARGE; i++) {
                threads.execute(() -> again(this::sendMuch));
            }
            Thread.sleep(RUN_UP_MILLIS);
        }

        int begunAnew() {
            return Math.max(0, begun.get() - SLOW - LARGE);
        }

        private void again(PagesCase.Request attack) {
            while (!threads.isShutdown()) {
                begun.incrementAndGet();
                try {
                    attack.run();
                } catch (IOException cutOff) {
                    // The service is expected to cut attackers off.
                } catch (InterruptedException over) {
                    return;
                }
            }
        }

        private void sendSlowly(byte[] head) throws IOException, InterruptedException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                OutputStream out = socket.getOutputStream();
                out.write(head);
                while (true) {
                    out.write('a');
                    Thread.sleep(BYTE_EVERY_MILLIS);
                }
            }
        }

        private void sendMuch() throws IOException, InterruptedException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                OutputStream out = socket.getOutputStream();
                out.write(LARGE_HEAD);
                for (int chunk = 0; chunk < CHUNKS; chunk++) {
                    out.write(CHUNK);
                    Thread.sleep(CHUNK_EVERY_MILLIS);
                }
                out.write(LAST_CHUNK);
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
