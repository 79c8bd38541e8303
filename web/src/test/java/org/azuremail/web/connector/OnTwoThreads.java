package org.azuremail.web.connector;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.azuremail.time.ManualTime;
import org.azuremail.web.connector.RequestBody.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/** A server with two request threads, and clients that compete for them. */
abstract class OnTwoThreads {

    static final String POST = "POST /count HTTP/1.1\r\nHost: x\r\n";
    static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    static final String WRONG_KEY = POST + "X-Wrong-Key: x\r\n";
    private static final long ALLOWED = 1_000_000;

    final ManualTime time = new ManualTime();
    private final List<Caller> callers = new ArrayList<>();
    final List<String> served = new CopyOnWriteArrayList<>();
    final CountDownLatch doors = new CountDownLatch(1);
    IncomingBodies bodies;
    TomcatWebServer server;

    /** Answers how many bytes it read. */
    private final class Counting extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getHeader("X-Stream") != null) {
                stream(request.getHeader("X-Stream"));
            }
            if (request.getHeader("X-Wrong-Key") != null) {
                response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
                response.getWriter().print("nothing read");
                return;
            }
            RequestBody body = (RequestBody) request.getAttribute(RequestBody.ATTRIBUTE);
            if (body != null && body.arrival() == Arrival.LARGE && request.getHeader("X-Admin") != null) {
                body.allow(ALLOWED);
            }
            if (body != null && request.getHeader("X-Within") != null) {
                body.allowWithin(ALLOWED, Duration.ofMillis(request.getIntHeader("X-Within")));
            }
            String read = body != null && body.arrival() != Arrival.WHOLE && body.arrival() != Arrival.LARGE
                    ? "none"
                    : String.valueOf(request.getInputStream().readAllBytes().length);
            response.getWriter().print(read + " " + (body == null ? "AT_ONCE" : body.arrival()));
        }

        private void stream(String name) {
            served.add(name);
            try {
                doors.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeEach
    void start() {
        start(new IncomingBodies(1 << 20, IncomingBodies.SMALL_BODY_TIMEOUT));
    }

    private void start(IncomingBodies some) {
        start(some, protocol -> protocol.setSelectorTimeout(Duration.ofHours(1).toMillis()));
    }

    private void start(IncomingBodies some, Consumer<LowWakeupProtocol> timeouts) {
        bodies = some;
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(InetAddress.getLoopbackAddress());
        new ConnectorConfiguration().lowWakeupProtocol(time).customize(factory);
        factory.addConnectorCustomizers(connector -> {
            LowWakeupProtocol protocol = (LowWakeupProtocol) connector.getProtocolHandler();
            protocol.setMaxThreads(2);
            protocol.setMinSpareThreads(1);
            timeouts.accept(protocol);
            protocol.setBodies(some);
        });
        server = (TomcatWebServer) factory.getWebServer(
                context -> context.addServlet("counting", new Counting()).addMapping("/count"));
        server.start();
    }

    void restart(IncomingBodies some) {
        stop();
        start(some);
    }

    /**
     * Restarts the server with short timeouts. Tomcat closes connections that are silent for a moment, unless another
     * part waits for their bodies.
     */
    void restartImpatiently(IncomingBodies some) {
        stop();
        start(some, protocol -> {
            protocol.setConnectionTimeout(500);
            protocol.setSelectorTimeout(100);
        });
    }

    @AfterEach
    void stop() {
        callers.forEach(Caller::close);
        server.stop();
        server.destroy();
    }

    Caller call() throws IOException {
        Caller caller = new Caller(server.getPort());
        callers.add(caller);
        return caller;
    }
}
