package org.azuremail.web.connector;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.coyote.Request;

/** Reads and drops the rest of a body whose request was answered. */
final class Dropping extends Wait {

    /** The most bytes to drop; after that, the connection is closed. */
    static final long MOST = 16L << 20;

    /** The number of bodies that are dropped at once. Further connections are closed, since reading costs work, too. */
    static final int AT_ONCE = 5;

    private final Request request;
    private final Semaphore droppings;
    private final RequestBody.Piece piece = new RequestBody.Piece();
    private long dropped;

    /** @param droppings one of them is released at the end */
    Dropping(Request request, Semaphore droppings) {
        this.request = request;
        this.droppings = droppings;
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (!request.isFinished() && request.isReady()) {
            dropped += Math.max(0, request.getInputBuffer().doRead(piece));
            if (dropped > MOST) {
                close();
                return;
            }
        }
    }

    @Override
    void close() {
        droppings.release();
        super.close();
    }

    @Override
    boolean isOver() {
        boolean over = !isClosed() && request.isFinished();
        if (over) {
            droppings.release();
        }
        return over;
    }
}
