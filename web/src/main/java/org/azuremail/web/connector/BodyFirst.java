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
 * Stands between Tomcat's HTTP/1.1 and its container. It hands a request on when its body has arrived, or is known to be large.
 * Until then Tomcat's poller waits for the body, and no thread does. It reads and drops the rest of a large body in the same
 * way, so that a client that reads only after it has sent everything sees the answer. If a body may not reach its end, the
 * answer says that the connection ends.
 */
final class BodyFirst implements Adapter {

    /** Clients of older versions wait for the end of the connection. */
    private static final String SAYS_WHERE_AN_ANSWER_ENDS = "HTTP/1.1";

    /** Tomcat's own notes have lower numbers; {@link HeadInTime#NOTE} is the next but one. */
    private static final int NOTE = 20;

    /** Set when the client sent the next request before it had the answer to this one. */
    private static final int AHEAD_NOTE = 21;

    private static final long NO_END_MILLIS = -1;

    private final Adapter container;
    private final Time time;
    private final BodiesAwaited bodies;
    private final Turns turns = new Turns();
    private final Semaphore droppings = new Semaphore(Dropping.AT_ONCE);

    BodyFirst(Adapter container, Time time, BodiesAwaited bodies) {
        this.container = container;
        this.time = time;
        this.bodies = bodies;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        request.setNote(NOTE, null);
        if (isBroken(response)) {
            container.service(request, response);
        } else if (request.getNote(AHEAD_NOTE) != null) {
            awaitTurn(request);
        } else {
            take(request, response);
        }
    }

    static void beginWork(Request request, Processor reader) {
        request.setNote(HeadInTime.NOTE, reader);
        request.setNote(AHEAD_NOTE, null);
    }

    private void awaitTurn(Request request) {
        Turn turn = new Turn(request);
        begin(request, turn, NO_END_MILLIS);
        turns.await(turn::begin);
    }

    private void take(Request request, Response response) throws Exception {
        serve(request, response);
        if (request.getNote(HeadInTime.NOTE) instanceof Processor reader && reader.getLeftoverInput() != null) {
            request.setNote(AHEAD_NOTE, true);
        }
    }

    private void serve(Request request, Response response) throws Exception {
        long declared = request.getContentLengthLong();
        if (request.isFinished() || isHere(request, declared)) {
            container.service(request, response);
            return;
        }
        RequestBody body = new RequestBody(request, bodies, time);
        if (declared > RequestBody.SMALL) {
            body.endWait(Arrival.LARGE);
            handOn(request, response, body);
            return;
        }
        request.action(ActionCode.ACK, ContinueResponseTiming.ALWAYS);
        bodies.grew(body, 0);
        await(request, new Taking(body));
    }

    /**
     * Tomcat itself drops such a body if nobody reads it, and does not wait for it. Many clients send the body right behind the
     * head, in a packet of its own: this looks once for what has arrived.
     */
    private static boolean isHere(Request request, long declared) {
        if (declared <= 0 || declared > RequestBody.SMALL) {
            return false;
        }
        if (request.getInputBuffer().available() == 0) {
            request.action(ActionCode.AVAILABLE, true);
        }
        return request.getInputBuffer().available() >= declared;
    }

    private void handOn(Request request, Response response, RequestBody body) throws Exception {
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
            body.letGo();
        }
        if (!is(ActionCode.ASYNC_IS_ASYNC, request) && !request.isFinished()) {
            dropTheRest(request, response, body);
        }
    }

    /**
     * Reads and drops the rest of a large body. Other clients are too slow or send nonsense, and get no such patience.
     */
    private void dropTheRest(Request request, Response response, RequestBody body) {
        if (body.arrival() == Arrival.LARGE
                && !isBroken(response)
                && request.protocol().equals(SAYS_WHERE_AN_ANSWER_ENDS)
                && droppings.tryAcquire()) {
            await(request, new Dropping(request, droppings));
        } else {
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    /** The poller waits for more bytes, and reports them to {@link #asyncDispatch}. */
    private void await(Request request, Wait wait) {
        begin(request, wait, bodies.patience().toMillis());
        setPiecesInTime(request, false);
        request.setReadListener(wait);
    }

    private static void begin(Request request, Wait wait, long millis) {
        request.setRequestThread();
        request.setNote(NOTE, wait);
        request.action(ActionCode.ASYNC_START, Nobody.WAITS);
        request.action(ActionCode.ASYNC_SETTIMEOUT, millis);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        if (!(request.getNote(NOTE) instanceof Wait wait)) {
            return container.asyncDispatch(request, response, event);
        }
        request.setRequestThread();
        switch (event) {
            case OPEN_READ -> wait.readOn(request);
            case TIMEOUT -> {
                request.action(ActionCode.ASYNC_TIMEOUT, new AtomicBoolean());
                wait.giveUp();
            }
            default -> wait.close();
        }
        if (wait.isOver()) {
            request.setNote(NOTE, null);
            if (!is(ActionCode.ASYNC_IS_DISPATCHING, request)) {
                request.action(ActionCode.ASYNC_DISPATCH, null);
            }
            request.action(ActionCode.ASYNC_DISPATCHED, null);
            request.action(ActionCode.ASYNC_SETTIMEOUT, NO_END_MILLIS);
            setPiecesInTime(request, true);
            wait.goOn(response);
        }
        return !wait.isClosed();
    }

    private static void setPiecesInTime(Request request, boolean inTime) {
        if (request.getNote(HeadInTime.NOTE) instanceof HeadInTime connection) {
            connection.setPiecesInTime(inTime);
        }
    }

    private static boolean is(ActionCode question, Request request) {
        AtomicBoolean answer = new AtomicBoolean();
        request.action(question, answer);
        return answer.get();
    }

    private static boolean isBroken(Response response) {
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

    private final class Taking extends Wait {

        private final RequestBody body;

        Taking(RequestBody body) {
            this.body = body;
        }

        @Override
        public void onDataAvailable() throws IOException {
            body.takeIn();
        }

        @Override
        void broken() {
            bodies.over(body, Arrival.BROKEN);
        }

        @Override
        void giveUp() {
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
        void goOn(Response response) throws Exception {
            handOn(body.request(), response, body);
        }
    }

    /** A wait for {@link Turns}; it handles other events of the connection when it ends. */
    private final class Turn extends Wait {

        private final Request request;
        private boolean begun;

        Turn(Request request) {
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
                turns.over();
            }
        }

        @Override
        boolean isOver() {
            return !isClosed() && is(ActionCode.ASYNC_IS_DISPATCHING, request);
        }

        @Override
        void goOn(Response response) throws Exception {
            try {
                take(request, response);
            } finally {
                turns.over();
            }
        }
    }

    /** The callback that Tomcat wants for an asynchronous request; nothing waits for a body. */
    private enum Nobody implements AsyncContextCallback {
        WAITS;

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
