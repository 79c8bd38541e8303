package org.azuremail.storage;

import java.util.List;

/**
 * The result of a batch: all of it happened, or nothing. A refusal does not prove that another process wrote: after a
 * lost answer the client library repeats the call, and a done insert then shows {@link Exists}, a done replace
 * {@link Stale}, a done delete {@link Missing}. Read again and decide.
 */
public sealed interface WriteResult {

    /** All changes are durable. ETags are in the order of the writes; a delete's is empty. */
    record Written(List<String> etags) implements WriteResult {

        /** The ETag of the first write. */
        public String etag() {
            return etags.get(0);
        }
    }

    /** Nothing changed: an inserted row is already there (HTTP 409). */
    record Exists() implements WriteResult {}

    /** Nothing changed: a row is not at the ETag that was given (HTTP 412). */
    record Stale() implements WriteResult {}

    /** Nothing changed: a row to be replaced or deleted is not there (HTTP 404). */
    record Missing() implements WriteResult {}

    default boolean written() {
        return this instanceof Written;
    }
}
