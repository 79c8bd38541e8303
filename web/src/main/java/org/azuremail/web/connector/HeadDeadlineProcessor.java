package org.azuremail.web.connector;

import java.io.IOException;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Tomcat's HTTP/1.1 processor of one connection, with a deadline for the whole head of a request. */
final class HeadDeadlineProcessor extends Http11Processor {

    static final Duration HEAD_TIMEOUT = Duration.ofSeconds(30);

    /** The note with the processor of a request's connection. */
    static final int NOTE = 22;

    private static final int NO_TIMEOUT = -1;

    private final AbstractHttp11Protocol<?> protocol;
    private final Time time;
    private @Nullable SocketWrapperBase<?> current;
    private @Nullable Duration begun;

    HeadDeadlineProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter, Time time) {
        super(protocol, adapter);
        this.protocol = protocol;
        this.time = time;
    }

    @Override
    public SocketState process(SocketWrapperBase<?> connection, SocketEvent event) throws IOException {
        BodyBufferingAdapter.beginWork(request, this);
        return super.process(connection, event);
    }

    @Override
    public SocketState service(SocketWrapperBase<?> connection) throws IOException {
        if (begun == null || connection != current) {
            current = connection;
            begun = time.elapsed();
        } else if (time.elapsed().minus(begun).compareTo(HEAD_TIMEOUT) > 0) {
            return SocketState.CLOSED;
        }
        SocketState state = super.service(connection);
        if (state != SocketState.LONG || isAsync()) {
            current = null;
            begun = null;
        }
        return state;
    }

    /**
     * Drops the event by which Tomcat reports the end of a chunked body, because {@link BodyBufferingAdapter} finds the
     * end itself. Tomcat would handle the event at once, in the middle of this read, by a second processor: that one
     * would take the next bytes of the connection, and answer the next request before this one, or close the
     * connection.
     */
    @Override
    protected void executeDispatches() {
        if (request.getReadListener() instanceof AsyncWait) {
            getIteratorAndClearDispatches();
        } else {
            super.executeDispatches();
        }
    }

    /**
     * Turns Tomcat's timeout between two pieces on or off. The timeout would close a connection without an answer, and
     * a wait with an end of its own does not need it.
     */
    void setReadTimeoutEnabled(boolean inTime) {
        getSocketWrapper().setReadTimeout(inTime ? protocol.getConnectionTimeout() : NO_TIMEOUT);
    }

    /** Limits the wait for the next piece of the body, until the next request begins. */
    void waitForAPiece(Duration atMost) {
        getSocketWrapper().setReadTimeout(Math.max(1, atMost.toMillis()));
    }
}
