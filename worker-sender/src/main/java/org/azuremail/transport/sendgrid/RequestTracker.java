package org.azuremail.transport.sendgrid;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpRequestInterceptor;
import org.apache.http.HttpResponse;
import org.apache.http.client.methods.HttpRequestWrapper;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpRequestExecutor;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how far this thread's request has progressed. Until it is written completely, no server can have acted on
 * it, because it states its length. After that the outcome is unknown, unless the head of the answer has arrived. A
 * request also has time limits as a whole: it is aborted, even if bytes of a TLS handshake or of an answer still arrive
 * slowly.
 */
final class RequestTracker extends HttpRequestExecutor implements HttpRequestInterceptor {

    /** How long to look for bytes on a connection that is used again; 0 would wait for ever. */
    private static final int CHECK_MILLIS = 1;

    private final Time time;
    private final Duration connect;
    private final Duration answer;
    private final ThreadLocal<Progress> progress = ThreadLocal.withInitial(Progress::new);

    /** The requests under way, and when to abort them. */
    private final Map<HttpUriRequest, Duration> ends = new ConcurrentHashMap<>();

    private static final class Progress {

        private boolean sent;
        private @Nullable HttpResponse head;
        private @Nullable HttpUriRequest request;
    }

    /** Thrown before anything of a request is written to a connection on which an answer without a request waits. */
    static final class UnaskedAnswer extends IOException {}

    /**
     * @param connect the time limit until a request has a connection
     * @param answer the time limit of a request, from its first byte to the last byte of its answer
     */
    RequestTracker(Time time, Duration connect, Duration answer) {
        this.time = time;
        this.connect = connect;
        this.answer = answer;
    }

    /** Called when this thread's request is over. */
    void over() {
        HttpUriRequest request = progress.get().request;
        if (request != null) {
            ends.remove(request);
        }
        progress.remove();
    }

    boolean sent() {
        return progress.get().sent;
    }

    /** Returns the head of the answer, if it arrived before the connection broke. */
    @Nullable
    HttpResponse head() {
        return progress.get().head;
    }

    /** Aborts requests that take too long. Called by another thread. */
    void closeOverdue() {
        Duration now = time.elapsed();
        ends.forEach((request, end) -> {
            if (now.compareTo(end) > 0 && ends.remove(request, end)) {
                request.abort();
            }
        });
    }

    /** Returns why this thread's request failed, in place of the exception that an abort causes. */
    IOException cause(IOException failure) {
        HttpUriRequest request = progress.get().request;
        return request != null && request.isAborted() ? new InterruptedIOException("aborted") : failure;
    }

    /** Called before the request gets a connection. */
    @Override
    public void process(HttpRequest request, HttpContext context) {
        HttpUriRequest begun = (HttpUriRequest) ((HttpRequestWrapper) request).getOriginal();
        progress.get().request = begun;
        ends.put(begun, time.elapsed().plus(connect));
    }

    @Override
    public HttpResponse execute(HttpRequest request, HttpClientConnection connection, HttpContext context)
            throws IOException, HttpException {
        ends.replace(
                Objects.requireNonNull(progress.get().request), time.elapsed().plus(answer));
        if (connection.getMetrics().getRequestCount() > 0 && connection.isResponseAvailable(CHECK_MILLIS)) {
            throw new UnaskedAnswer();
        }
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
