package org.azuremail.web.connector;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.apache.coyote.Request;

/** Reads and drops what is left of the body of a request that was answered. */
final class Dropping extends Wait {

    /** In bytes: after so much that nobody wants the connection is closed. */
    static final long MOST = 16L << 20;

    /** The number of bodies dropped at once; reading what nobody wants is work too. Others see their connection closed. */
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
