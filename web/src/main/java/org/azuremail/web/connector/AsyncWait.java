package org.azuremail.web.connector;

import jakarta.servlet.ReadListener;
import java.io.IOException;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.Request;
import org.apache.coyote.Response;

/** A request's wait that blocks no thread. Used by one thread at a time. */
abstract class AsyncWait implements ReadListener {

    private boolean closed;

    /** Reads the bytes that have arrived, by {@link #onDataAvailable}. */
    void readOn(Request request) {
        try {
            request.onDataAvailable();
        } catch (BadRequestException strange) {
            onMalformedInput();
        } catch (IOException gone) {
            close();
        }
    }

    /** Called when the bytes that arrived are not HTTP. */
    void onMalformedInput() {
        close();
    }

    /** Called when the wait has lasted too long. */
    void onTimeout() {
        close();
    }

    abstract boolean isOver();

    void resume(Response response) throws Exception {}

    void close() {
        closed = true;
    }

    final boolean isClosed() {
        return closed;
    }

    @Override
    public void onDataAvailable() throws IOException {}

    @Override
    public void onAllDataRead() {}

    @Override
    public void onError(Throwable failure) {}
}
