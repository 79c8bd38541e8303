package org.azuremail.web.download;

import java.io.IOException;
import java.io.OutputStream;

/** The body of an answer that is written while it is read from the storage; it is never held whole. */
@FunctionalInterface
public interface StreamedBody {

    /** @throws IOException when the client is gone, or the content breaks off */
    void writeTo(OutputStream out) throws IOException;
}
