package org.azuremail.web.connector;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.AsyncContextCallback;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.azuremail.time.Time;
import org.azuremail.web.connector.RequestBody.Arrival;

/**
 * Passes a request from Tomcat's HTTP/1.1 to its container when the body has arrived or is known to be large. Until
 * then Tomcat's poller waits for the body and no thread is blocked. The rest of a large body is read and discarded in
 * the same way, so that a client that reads only after it has sent everything receives the answer. If a body may not be
 * read to its end, the answer says that the connection closes.
 */
final class BodyBufferingAdapter implements Adapter {

    /** The version for which the rest of a body is read. Older clients wait for the connection to close. */
    private static final String HTTP_1_1 = "HTTP/1.1";

    /**
     * The note with the request's {@link AsyncWait}. Tomcat's own notes have lower numbers;
     * {@link HeadDeadlineProcessor#NOTE} is the next but one.
     */
    private static final int NOTE = 20;

    /** The note set when the client sent the next request before it had received the answer to this one. */
    private static final int PIPELINED_NOTE = 21;

    private static final long NO_END_MILLIS = -1;

    private final Adapter container;
    private final Time time;
    private final IncomingBodies bodies;
    private final PipelinedRequests pipelined = new PipelinedRequests();
    private final Semaphore drainPermits = new Semaphore(BodyDrain.MAX_CONCURRENT);

    BodyBufferingAdapter(Adapter container, Time time, IncomingBodies bodies) {
        this.container = container;
        this.time = time;
        this.bodies = bodies;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        request.setNote(NOTE, null);
        if (hasError(response)) {
            container.service(request, response);
        } else if (request.getNote(PIPELINED_NOTE) != null) {
            awaitTurn(request);
        } else {
            take(request, response);
        }
    }

    static void beginWork(Request request, Processor reader) {
        request.setNote(HeadDeadlineProcessor.NOTE, reader);
        request.setNote(PIPELINED_NOTE, null);
    }

    private void awaitTurn(Request request) {
        PipelineWait wait = new PipelineWait(request);
        begin(request, wait, NO_END_MILLIS);
        pipelined.await(wait::begin);
    }

    private void take(Request request, Response response) throws Exception {
        serve(request, response);
        if (request.getNote(HeadDeadlineProcessor.NOTE) instanceof Processor reader
                && reader.getLeftoverInput() != null) {
            request.setNote(PIPELINED_NOTE, true);
        }
    }

    private void serve(Request request, Response response) throws Exception {
        long declared = request.getContentLengthLong();
        if (request.isFinished() || hasArrived(request, declared)) {
            container.service(request, response);
            return;
        }
        RequestBody body = new RequestBody(request, bodies, time);
        if (declared > RequestBody.SMALL) {
            body.endWait(Arrival.LARGE);
            forward(request, response, body);
            return;
        }
        request.action(ActionCode.ACK, ContinueResponseTiming.ALWAYS);
        bodies.grew(body, 0);
        await(request, new BodyCollection(body));
    }

    /**
     * Returns whether a small body of a declared length has arrived. Many clients send the body right behind the head,
     * in a packet of its own, so this checks once for new bytes. Tomcat itself discards such a body, without waiting
     * for it, if no handler reads it.
     */
    private static boolean hasArrived(Request request, long declared) {
        if (declared <= 0 || declared > RequestBody.SMALL) {
            return false;
        }
        if (request.getInputBuffer().available() == 0) {
            request.action(ActionCode.AVAILABLE, true);
        }
        return request.getInputBuffer().available() >= declared;
    }

    private void forward(Request request, Response response, RequestBody body) throws Exception {
        InputBuffer line = request.getInputBuffer();
        if (body.arrival() != Arrival.WHOLE && request.getContentLengthLong() <= RequestBody.SMALL) {
            response.setHeader("Connection", "close");
        }
        request.setInputBuffer(body);
        request.setAttribute(RequestBody.ATTRIBUTE, body);
        try {
            container.service(request, response);
        } finally {
            request.setInputBuffer(line);
            body.release();
        }
        if (!query(ActionCode.ASYNC_IS_ASYNC, request) && !request.isFinished()) {
            drainRest(request, response, body);
        }
    }

    /**
     * Reads and discards the rest of a large body. The rest of any other body stays unread, because its client is too
     * slow or sends malformed data.
     */
    private void drainRest(Request request, Response response, RequestBody body) {
        if (body.arrival() == Arrival.LARGE
                && !hasError(response)
                && request.protocol().equals(HTTP_1_1)
                && drainPermits.tryAcquire()) {
            await(request, new BodyDrain(request, drainPermits));
        } else {
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    /** Waits for more bytes. The poller reports them to {@link #asyncDispatch}. */
    private void await(Request request, AsyncWait wait) {
        begin(request, wait, bodies.smallBodyTimeout().toMillis());
        setReadTimeoutEnabled(request, false);
        request.setReadListener(wait);
    }

    private static void begin(Request request, AsyncWait wait, long millis) {
        request.setRequestThread();
        request.setNote(NOTE, wait);
        request.action(ActionCode.ASYNC_START, NoOpCallback.INSTANCE);
        request.action(ActionCode.ASYNC_SETTIMEOUT, millis);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        if (!(request.getNote(NOTE) instanceof AsyncWait wait)) {
            return container.asyncDispatch(request, response, event);
        }
        request.setRequestThread();
        switch (event) {
            case OPEN_READ -> wait.readOn(request);
            case TIMEOUT -> {
                request.action(ActionCode.ASYNC_TIMEOUT, new AtomicBoolean());
                wait.onTimeout();
            }
            default -> wait.close();
        }
        if (wait.isOver()) {
            request.setNote(NOTE, null);
            if (!query(ActionCode.ASYNC_IS_DISPATCHING, request)) {
                request.action(ActionCode.ASYNC_DISPATCH, null);
            }
            request.action(ActionCode.ASYNC_DISPATCHED, null);
            request.action(ActionCode.ASYNC_SETTIMEOUT, NO_END_MILLIS);
            setReadTimeoutEnabled(request, true);
            wait.resume(response);
        }
        return !wait.isClosed();
    }

    private static void setReadTimeoutEnabled(Request request, boolean inTime) {
        if (request.getNote(HeadDeadlineProcessor.NOTE) instanceof HeadDeadlineProcessor connection) {
            connection.setReadTimeoutEnabled(inTime);
        }
    }

    private static boolean query(ActionCode question, Request request) {
        AtomicBoolean answer = new AtomicBoolean();
        request.action(question, answer);
        return answer.get();
    }

    private static boolean hasError(Response response) {
        AtomicBoolean answer = new AtomicBoolean();
        response.action(ActionCode.IS_ERROR, answer);
        return answer.get();
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return container.prepare(request, response);
    }

    @Override
    public void log(Request request, Response response, long millis) {
        container.log(request, response, millis);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        container.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return container.getDomain();
    }

    private final class BodyCollection extends AsyncWait {

        private final RequestBody body;

        BodyCollection(RequestBody body) {
            this.body = body;
        }

        @Override
        public void onDataAvailable() throws IOException {
            body.bufferAvailable();
        }

        @Override
        void onMalformedInput() {
            bodies.over(body, Arrival.BROKEN);
        }

        @Override
        void onTimeout() {
            bodies.over(body, Arrival.LATE);
        }

        @Override
        void close() {
            bodies.over(body, Arrival.BROKEN);
            super.close();
        }

        @Override
        boolean isOver() {
            boolean over = !isClosed() && body.arrival() != Arrival.AWAITED;
            if (over) {
                bodies.over(body, body.arrival());
            }
            return over;
        }

        @Override
        void resume(Response response) throws Exception {
            forward(body.request(), response, body);
        }
    }

    /**
     * A wait for a turn in {@link PipelinedRequests}. Other events of the connection are handled when the wait ends.
     */
    private final class PipelineWait extends AsyncWait {

        private final Request request;
        private boolean begun;

        PipelineWait(Request request) {
            this.request = request;
        }

        synchronized boolean begin() {
            if (isClosed()) {
                return false;
            }
            try {
                Runnable dispatch = () -> request.action(ActionCode.ASYNC_DISPATCH, null);
                request.action(ActionCode.ASYNC_RUN, dispatch);
                begun = true;
            } catch (IllegalStateException | RejectedExecutionException gone) {
                super.close();
            }
            return begun;
        }

        @Override
        synchronized void close() {
            super.close();
            if (begun) {
                pipelined.release();
            }
        }

        @Override
        boolean isOver() {
            return !isClosed() && query(ActionCode.ASYNC_IS_DISPATCHING, request);
        }

        @Override
        void resume(Response response) throws Exception {
            try {
                take(request, response);
            } finally {
                pipelined.release();
            }
        }
    }

    /** The callback that Tomcat requires. It does nothing, because no servlet waits for a body. */
    private enum NoOpCallback implements AsyncContextCallback {
        INSTANCE;

        @Override
        public void fireOnComplete() {}

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void incrementInProgressAsyncCount() {}

        @Override
        public void decrementInProgressAsyncCount() {}
    }
}
