package org.azuremail.storage;

import java.util.List;

/**
 * The result of a batch, which took effect completely or not at all. A refusal does not prove that another process
 * wrote the row, because the client library repeats a call whose answer was lost. If the first call took effect, the
 * repeated insert results in {@link Exists}, the repeated replace in {@link Stale} and the repeated delete in
 * {@link Missing}. The caller must read again to find out.
 */
public sealed interface WriteResult {

    /**
     * All changes are durable.
     *
     * @param etags the ETags in the order of the writes; an empty string for a delete
     */
    record Written(List<String> etags) implements WriteResult {

        /** Returns the ETag of the first write. */
        public String etag() {
            return etags.get(0);
        }
    }

    /** Nothing changed, because a row to insert already exists (HTTP 409). */
    record Exists() implements WriteResult {}

    /** Nothing changed, because a row does not have the given ETag (HTTP 412). */
    record Stale() implements WriteResult {}

    /** Nothing changed, because a row to replace or delete does not exist (HTTP 404). */
    record Missing() implements WriteResult {}

    default boolean written() {
        return this instanceof Written;
    }
}
