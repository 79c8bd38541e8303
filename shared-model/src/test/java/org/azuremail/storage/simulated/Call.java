package org.azuremail.storage.simulated;

/**
 * One call of a port.
 *
 * @param kind the method
 * @param place the table, queue or container
 * @param partition the partition or the blob's name; may be empty
 * @param description the subject of the call, for people
 * @param number the number of the call of one storage, from 1
 */
public record Call(Kind kind, String place, String partition, String description, long number) {

    /** The kinds of calls, one for each method of a port. */
    public enum Kind {
        CREATE_TABLE(true),
        GET(false),
        QUERY(false),
        WRITE(true),
        CREATE_QUEUE(true),
        SEND(true),
        RECEIVE(true),
        RENEW(true),
        DELETE_ITEM(true),
        PEEK(false),
        COUNT(false),
        CREATE_CONTAINER(true),
        PUT_BLOB(true),
        OPEN_BLOB(false),
        DELETE_BLOB(true),
        LIST_BLOBS(false);

        private final boolean changes;

        Kind(boolean changes) {
            this.changes = changes;
        }

        /** Returns whether such a call may change something. */
        public boolean changes() {
            return changes;
        }
    }
}
