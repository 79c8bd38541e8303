package org.azuremail.web.download;

import java.io.IOException;
import java.io.OutputStream;

/** The body of an answer that is written while it is read from the storage. It is never held in memory as a whole. */
@FunctionalInterface
public interface StreamedBody {

    /** @throws IOException if the client has disconnected or the content ends early */
    void writeTo(OutputStream out) throws IOException;
}
