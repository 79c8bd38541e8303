package org.azuremail.web.connector;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.apache.coyote.ActionCode;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. Its first {@value #SMALL} bytes are received before the request gets a thread, so that slow
 * and endless clients occupy no threads. A larger body is read only after {@link #allow} was called, and only up to the
 * allowed size; otherwise reading fails before any of it is parsed. A chunked body is counted as it arrives. Each
 * request whose body did not arrive together with its headers has this object as an attribute.
 */
public final class RequestBody implements InputBuffer {

    public static final String ATTRIBUTE = RequestBody.class.getName();

    /** The most bytes that any caller may send, and that are buffered while a body arrives. */
    public static final int SMALL = 64 * 1024;

    public enum Arrival {
        /** The body is being received, and the request is not handled yet. */
        AWAITED,
        /** The whole body has arrived. */
        WHOLE,
        /** The body is larger than {@link #SMALL}, or declares that it is. */
        LARGE,
        /** The body took longer than a small body may take. */
        LATE,
        /** The bytes that arrived are not a valid body, for example a chunk without a length. */
        BROKEN,
        /** The body was dropped in favour of other bodies, because it had waited longest. */
        EVICTED
    }

    /**
     * Thrown when the body is larger or slower than allowed. Tomcat answers a bad request, but treats any other failure
     * to read a form as a lost client and closes the connection without an answer.
     */
    public static final class Refused extends BadRequestException {

        private final Arrival reason;

        private Refused(Arrival reason) {
            super("The body of the request is not read on: " + reason);
            this.reason = reason;
        }

        /** Returns {@link Arrival#LARGE} or {@link Arrival#LATE}. */
        public Arrival reason() {
            return reason;
        }
    }

    private static final int FIRST_PIECE = 1024;

    /** The lowest speed of a large body in bytes a second, measured after the time that a small body may take. */
    private static final long MIN_BYTES_PER_SECOND = 16 * 1024;

    private final Request request;
    private final InputBuffer source;
    private final IncomingBodies bodies;
    private final Time time;
    private final Duration begun;
    private volatile Arrival arrival = Arrival.AWAITED;
    private byte[] kept = {};
    private int length;
    private boolean bufferRead;
    private boolean permitted;
    private long limit;
    private @Nullable Duration deadline;
    private long arrived;

    RequestBody(Request request, IncomingBodies bodies, Time time) {
        this.request = request;
        this.source = request.getInputBuffer();
        this.bodies = bodies;
        this.time = time;
        this.begun = time.elapsed();
    }

    Request request() {
        return request;
    }

    public Arrival arrival() {
        return arrival;
    }

    /**
     * Allows a thread to wait for a large body and read it.
     *
     * @param bytes the most bytes to read
     * @return whether the body may be read now; if not, too many others are being read, and the client may try again
     */
    public boolean allow(long bytes) {
        permitted = permitted || bodies.tryAcquireLargeRead();
        limit = permitted ? bytes : 0;
        return permitted;
    }

    /**
     * Allows a thread to read a large body that must arrive quickly. The caller limits the number of bodies that it
     * reads at once: they do not count among those of {@link #allow}.
     *
     * @param bytes the most bytes to read
     * @param whole the time from the head of the request to the end of its body
     */
    public void allowWithin(long bytes, Duration whole) {
        limit = bytes;
        deadline = begun.plus(whole);
    }

    /** Buffers the bytes that have arrived, without waiting. */
    void bufferAvailable() throws IOException {
        Piece piece = new Piece();
        while (arrival == Arrival.AWAITED && !request.isFinished() && request.isReady()) {
            if (source.doRead(piece) > 0) {
                bodies.grew(this, keep(piece.bytes()));
            }
        }
        if (request.isFinished()) {
            endWait(Arrival.WHOLE);
        }
    }

    /** Buffers a piece and returns the number of bytes added. The buffer is at most twice as large as its contents. */
    private synchronized int keep(ByteBuffer piece) {
        if (arrival != Arrival.AWAITED) {
            return 0;
        }
        int more = piece.remaining();
        if (kept.length - length < more) {
            kept = Arrays.copyOf(kept, Math.max(length + more, Math.max(FIRST_PIECE, 2 * kept.length)));
        }
        piece.get(kept, length, more);
        length += more;
        arrived = length;
        if (length > SMALL) {
            endWait(Arrival.LARGE);
        }
        return more;
    }

    /** Ends the wait for the body, unless it has ended already. Safe for use from many threads. */
    synchronized void endWait(Arrival as) {
        if (arrival == Arrival.AWAITED) {
            arrival = as;
            if (as != Arrival.WHOLE && as != Arrival.LARGE) {
                kept = new byte[0];
                length = 0;
            }
        }
    }

    /** Drops the body in favour of others. The client gets its answer at Tomcat's next check for timeouts. */
    void evict() {
        endWait(Arrival.EVICTED);
        request.action(ActionCode.ASYNC_SETTIMEOUT, 1L);
    }

    /** Releases the buffer and the permit for a large body after the request was answered. */
    void release() {
        if (permitted) {
            permitted = false;
            bodies.releaseLargeRead();
        }
        kept = new byte[0];
        length = 0;
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        if (arrival != Arrival.WHOLE && (limit == 0 || arrived > limit)) {
            throw new Refused(Arrival.LARGE);
        }
        if (!bufferRead && length > 0) {
            bufferRead = true;
            handler.setByteBuffer(ByteBuffer.wrap(kept, 0, length));
            return length;
        }
        int read = readFromSource(handler);
        arrived += Math.max(0, read);
        if (read > 0 && tooSlow()) {
            throw new Refused(Arrival.LATE);
        }
        return read;
    }

    private int readFromSource(ApplicationBufferHandler handler) throws IOException {
        if (deadline != null
                && request.getNote(HeadDeadlineProcessor.NOTE) instanceof HeadDeadlineProcessor connection) {
            connection.waitForAPiece(deadline.minus(time.elapsed()));
        }
        try {
            return source.doRead(handler);
        } catch (SocketTimeoutException silent) {
            throw new Refused(Arrival.LATE);
        }
    }

    private boolean tooSlow() {
        if (deadline != null) {
            return time.elapsed().compareTo(deadline) > 0;
        }
        return time.elapsed()
                        .minus(begun)
                        .minus(bodies.smallBodyTimeout())
                        .compareTo(Duration.ofSeconds(arrived / MIN_BYTES_PER_SECOND))
                > 0;
    }

    @Override
    public int available() {
        return bufferRead ? source.available() : length;
    }

    static final class Piece implements ApplicationBufferHandler {

        private @Nullable ByteBuffer bytes;

        ByteBuffer bytes() {
            return bytes == null ? ByteBuffer.allocate(0) : bytes;
        }

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            bytes = buffer;
        }

        @Override
        public @Nullable ByteBuffer getByteBuffer() {
            return bytes;
        }

        @Override
        public void expand(int size) {}
    }
}
