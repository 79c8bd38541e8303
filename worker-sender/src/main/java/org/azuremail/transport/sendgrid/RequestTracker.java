package org.azuremail.transport.sendgrid;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpRequestExecutor;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how far this thread's request has progressed. Until it is written completely, no server can have acted on
 * it, because it states its length. After that the outcome is unknown, unless the head of the answer has arrived. A
 * request also has a time limit as a whole: its connection is cut, even if bytes of an answer still arrive slowly.
 */
final class RequestTracker extends HttpRequestExecutor {

    private final Time time;
    private final Duration longest;
    private final ThreadLocal<Progress> progress = ThreadLocal.withInitial(Progress::new);

    /** The connections in use, and when to cut them. */
    private final Map<HttpClientConnection, Duration> ends = new ConcurrentHashMap<>();

    private static final class Progress {

        private boolean sent;
        private @Nullable HttpResponse head;
        private @Nullable HttpClientConnection connection;
    }

    /** @param longest the time limit of a request, from its first byte to the last byte of its answer */
    RequestTracker(Time time, Duration longest) {
        this.time = time;
        this.longest = longest;
    }

    /** Called when a new request of this thread begins. */
    void clear() {
        over();
        progress.remove();
    }

    /** Called when this thread's request is over. */
    void over() {
        HttpClientConnection connection = progress.get().connection;
        if (connection != null) {
            ends.remove(connection);
        }
    }

    boolean sent() {
        return progress.get().sent;
    }

    /** Returns the head of the answer, if it arrived before the connection broke. */
    @Nullable
    HttpResponse head() {
        return progress.get().head;
    }

    /** Cuts the connections of requests that take too long. Called by another thread. */
    void closeOverdue() {
        Duration now = time.elapsed();
        ends.forEach((connection, end) -> {
            // The next request on the same connection has another time limit.
            if (now.compareTo(end) > 0 && ends.remove(connection, end)) {
                cut(connection);
            }
        });
    }

    private static void cut(HttpClientConnection connection) {
        try {
            connection.shutdown();
        } catch (IOException alreadyGone) {
            // The connection is closed, as intended.
        }
    }

    @Override
    public HttpResponse execute(HttpRequest request, HttpClientConnection connection, HttpContext context)
            throws IOException, HttpException {
        progress.get().connection = connection;
        ends.put(connection, time.elapsed().plus(longest));
        HttpResponse head = super.execute(request, connection, context);
        progress.get().head = head;
        return head;
    }

    @Override
    protected @Nullable HttpResponse doSendRequest(
            HttpRequest request, HttpClientConnection connection, HttpContext context)
            throws IOException, HttpException {
        HttpResponse early = super.doSendRequest(request, connection, context);
        progress.get().sent = true;
        return early;
    }
}
