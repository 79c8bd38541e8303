package org.azuremail.transport.sendgrid;

import java.io.IOException;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpRequestExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whether this thread's request was written to its end. Until then no server can have acted on it, because it
 * says how long it is; afterwards nobody knows.
 */
final class SentMark extends HttpRequestExecutor {

    private final ThreadLocal<Boolean> sent = ThreadLocal.withInitial(() -> false);

    void clear() {
        sent.set(false);
    }

    boolean sent() {
        return sent.get();
    }

    @Override
    protected @Nullable HttpResponse doSendRequest(
            HttpRequest request, HttpClientConnection connection, HttpContext context)
            throws IOException, HttpException {
        HttpResponse early = super.doSendRequest(request, connection, context);
        sent.set(true);
        return early;
    }
}
