package org.azuremail.work.signal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.azuremail.app.Daemons;
import org.azuremail.id.InstallationKey;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to the signals of other processes on a port of its own, apart from the port of the website and the API. It
 * only accepts a POST request of at most {@value SignalRequest#MAX_BYTES} bytes that has a valid seal and names this
 * instance. The worst that a signal can cause is an early read of the storage.
 */
public final class SignalServer {

    static final String PATH = "/signals";

    private static final Logger LOG = LoggerFactory.getLogger(SignalServer.class);
    private static final int THREADS = 2;
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    static {
        // A caller that sends nothing must not block a thread. The values are seconds, and the JDK's server reads them
        // once.
        setUnlessSet("sun.net.httpserver.maxReqTime", "5");
        setUnlessSet("sun.net.httpserver.maxRspTime", "5");
        // The server checks for such callers periodically, by default every second, even if no process ever sends a
        // signal.
        setUnlessSet("sun.net.httpserver.timerMillis", "5000");
    }

    private final SignalSettings settings;
    private final Function<Signal, Signal.Answer> receiver;
    private final SignalSignature signature;
    private final Supplier<Optional<Instance>> self;
    private final Time time;
    private @Nullable HttpServer server;
    private @Nullable ExecutorService threads;
    private @Nullable Duration refusalLogged;

    /**
     * @param receiver handles a signal and returns immediately; slow work runs elsewhere
     * @param self returns the instance that this process is at present
     */
    public SignalServer(
            SignalSettings settings,
            Function<Signal, Signal.Answer> receiver,
            InstallationKey key,
            Supplier<Optional<Instance>> self,
            Time time) {
        this.settings = settings;
        this.receiver = receiver;
        this.signature = new SignalSignature(key, time);
        this.self = self;
        this.time = time;
    }

    /**
     * Starts to listen.
     *
     * @return {@code host:port} for the other processes; empty if the port is not available, so that no signals are
     *     received
     */
    public synchronized String start() {
        try {
            HttpServer listening = HttpServer.create(settings.listensAt(), 0);
            ExecutorService handling = Executors.newFixedThreadPool(THREADS, Daemons.named("signals in"));
            listening.setExecutor(handling);
            listening.createContext("/", this::answer);
            listening.start();
            server = listening;
            threads = handling;
            return settings.advertised(listening.getAddress().getPort());
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("this process hears no signals, and finds work later: {} {}", settings.listensAt(), e.toString());
            return "";
        }
    }

    /** Stops listening. Does nothing if it does not listen. */
    public synchronized void stop() {
        if (server != null) {
            server.stop(0);
            server = null;
        }
        if (threads != null) {
            threads.shutdownNow();
            threads = null;
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply = replyTo(exchange);
            byte[] text = reply.text().getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(reply.status(), text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        }
    }

    private Reply replyTo(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            return Reply.of(405);
        }
        if (!exchange.getRequestURI().getPath().equals(PATH)) {
            return Reply.of(404);
        }
        byte[] body = exchange.getRequestBody().readNBytes(SignalRequest.MAX_BYTES + 1);
        if (body.length > SignalRequest.MAX_BYTES) {
            return Reply.of(413);
        }
        String sentAt = exchange.getRequestHeaders().getFirst(SignalSignature.TIME_HEADER);
        String given = exchange.getRequestHeaders().getFirst(SignalSignature.SEAL_HEADER);
        try {
            return signature.verify(sentAt, given, body) ? take(body) : refuse();
        } catch (RuntimeException e) {
            LOG.info("a signal could not be taken: {}", e.toString());
            return Reply.of(503);
        }
    }

    private Reply take(byte[] body) {
        Optional<SignalRequest> request = SignalRequest.read(body);
        if (request.isEmpty()) {
            return Reply.of(400);
        }
        boolean ours =
                self.get().map(Instance::id).filter(request.get().to()::equals).isPresent();
        return ours ? new Reply(200, receiver.apply(request.get().signal()).name()) : Reply.of(410);
    }

    private synchronized Reply refuse() {
        Duration now = time.elapsed();
        if (refusalLogged == null || now.minus(refusalLogged).compareTo(LOG_INTERVAL) >= 0) {
            refusalLogged = now;
            LOG.warn("a signal without a valid seal was refused: do the clocks differ by more than a minute?");
        }
        return Reply.of(401);
    }

    private record Reply(int status, String text) {

        static Reply of(int status) {
            return new Reply(status, "");
        }
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
