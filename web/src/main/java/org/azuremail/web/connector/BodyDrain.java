package org.azuremail.web.connector;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.coyote.Request;

/** Reads and discards the rest of the body of an answered request. */
final class BodyDrain extends AsyncWait {

    /** The most bytes to discard, after which the connection is closed. */
    static final long MAX_BYTES = 16L << 20;

    /** The most bodies drained at once. Further connections are closed, since reading costs work, too. */
    static final int MAX_CONCURRENT = 5;

    private final Request request;
    private final Semaphore drainPermits;
    private final RequestBody.Piece piece = new RequestBody.Piece();
    private long drained;

    /** @param drainPermits the permits of which one is released at the end */
    BodyDrain(Request request, Semaphore drainPermits) {
        this.request = request;
        this.drainPermits = drainPermits;
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!request.isFinished() && request.isReady()) {
            drained += Math.max(0, request.getInputBuffer().doRead(piece));
            if (drained > MAX_BYTES) {
                close();
                return;
            }
        }
    }

    @Override
    void close() {
        drainPermits.release();
        super.close();
    }

    @Override
    boolean isOver() {
        boolean over = !isClosed() && request.isFinished();
        if (over) {
            drainPermits.release();
        }
        return over;
    }
}
